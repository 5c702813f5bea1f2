package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// Reconcile waters a garden.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &v1.Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.due(garden) {
		return ctrl.Result{}, r.Create(ctx, &corev1.Pod{})
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) due(garden *v1.Garden) bool {
	return garden.Annotations["garden.example.com/water-now"] == "true"
}
