package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// attach writes down what a disk of the class gets.
func (r *Reconciler) attach(ctx context.Context, disk *v1.Disk, class *v1.DiskClass) error {
	disk.Status.ID = class.Name
	return r.Status().Update(ctx, disk)
}
