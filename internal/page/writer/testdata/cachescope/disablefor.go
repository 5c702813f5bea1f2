package main

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Get(ctx, req.NamespacedName, &corev1.Secret{})
}

func main() {
	mgr, err := newManager()
	if err == nil {
		err = (&Reconciler{mgr.GetClient()}).SetupWithManager(mgr)
	}
	if err == nil {
		err = mgr.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		panic(err)
	}
}
