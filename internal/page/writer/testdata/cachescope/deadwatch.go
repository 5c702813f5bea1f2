package main

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func involved(_ context.Context, obj client.Object) []ctrl.Request {
	about := obj.(*corev1.Event).InvolvedObject
	return []ctrl.Request{{NamespacedName: client.ObjectKey{Namespace: about.Namespace, Name: about.Name}}}
}

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
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
