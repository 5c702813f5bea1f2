package main

// A Reconciler acts on the Pods of its node.
type Reconciler struct {
	client.Client
	Node string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func main() {
	node := os.Getenv("NODE_NAME")
	mgr, err := newManager(node)
	if err == nil {
		err = (&Reconciler{mgr.GetClient(), node}).SetupWithManager(mgr)
	}
	if err == nil {
		err = mgr.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		panic(err)
	}
}
