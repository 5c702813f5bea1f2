package example

// A Reconciler reads and writes objects.
type Reconciler struct{ client.Client }
