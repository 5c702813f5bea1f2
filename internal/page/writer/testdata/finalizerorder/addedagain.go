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

func (r *Reconciler) delete(ctx context.Context, disk *v1.Disk) error {
	if err := r.cloud.DeleteDisk(ctx, disk.Spec.ID); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(disk, finalizer)
	return r.Update(ctx, disk)
}

func (r *Reconciler) create(ctx context.Context, disk *v1.Disk) error {
	_, err := r.cloud.CreateDisk(ctx, disk.Spec.Size)
	return err
}
