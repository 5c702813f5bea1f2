package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

const finalizer = "example.com/pods"
