package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// Reconcile removes the finalizer of a job that is being deleted.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &batchv1.Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !job.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(job, "example.com/jobs")
		return ctrl.Result{}, r.Update(ctx, job)
	}
	return ctrl.Result{}, nil
}
