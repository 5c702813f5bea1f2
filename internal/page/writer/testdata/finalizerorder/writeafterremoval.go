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

// Reconcile deletes.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	disk := &v1.Disk{}
	if err := r.Get(ctx, req.NamespacedName, disk); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !disk.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.delete(ctx, disk)
	}
	return ctrl.Result{}, nil
}
