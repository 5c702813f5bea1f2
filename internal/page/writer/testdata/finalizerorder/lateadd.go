package example

// A Reconciler is what the controller runs.
type Reconciler struct {
	client.Client
	cloud cloud
}

const finalizer = "example.com/disks"

type cloud interface {
	CreateDisk(ctx context.Context, size string) (string, error)
	DeleteDisk(ctx context.Context, id string) error
}
