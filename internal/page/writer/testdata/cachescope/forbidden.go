package main

// A Garden is a kind.
//
// +groupName=example.com
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=gardens
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it an object.
func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

// A Reconciler reads a Secret for each garden.
type Reconciler struct {
	client.Client
	Live client.Reader
}

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err == nil {
		err = ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Complete(&Reconciler{mgr.GetClient(), mgr.GetAPIReader()})
	}
	if err == nil {
		err = mgr.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		panic(err)
	}
}
