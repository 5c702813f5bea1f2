package main

// A Reconciler reads a Secret for each garden.
type Reconciler struct{ client.Client }

func main() {
	mgr, err := newManager()
	if err == nil {
		err = ctrl.NewControllerManagedBy(mgr).For(&v1.Garden{}).Complete(&Reconciler{mgr.GetClient()})
	}
	if err == nil {
		err = mgr.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		panic(err)
	}
}
