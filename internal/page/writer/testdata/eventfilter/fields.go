package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// Reconcile waters a garden.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &v1.Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.apply(ctx, garden)
}

func (r *Reconciler) water(ctx context.Context, beds, litres int) error {
	return r.Create(ctx, &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(beds, litres)}})
}
