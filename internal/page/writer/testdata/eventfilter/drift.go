package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// Reconcile writes down the name of a garden.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &v1.Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Create(ctx, &corev1.ConfigMap{Data: map[string]string{"name": garden.Name}})
}
