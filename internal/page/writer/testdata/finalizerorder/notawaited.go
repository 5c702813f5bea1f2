package example

// A Reconciler is what the controllers run.
type Reconciler struct {
	client.Client
	cloud cloud
}

const finalizer = "example.com/disks"

type cloud interface {
	CreateDisk(ctx context.Context, class, size string) error
	DeleteDisk(ctx context.Context, class, id string) error
}

func (r *Reconciler) reconcile(ctx context.Context, disk *v1.Disk) error {
	class := &v1.DiskClass{}
	if err := r.Get(ctx, client.ObjectKey{Name: disk.Spec.Class}, class); err != nil {
		return err
	}
	if !disk.DeletionTimestamp.IsZero() {
		if err := r.cloud.DeleteDisk(ctx, class.Name, disk.Status.ID); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(disk, finalizer)
		return r.Update(ctx, disk)
	}
	controllerutil.AddFinalizer(disk, finalizer)
	if err := r.Update(ctx, disk); err != nil {
		return err
	}
	return r.cloud.CreateDisk(ctx, class.Name, disk.Spec.Size)
}
