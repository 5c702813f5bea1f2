package example

type reconciler struct{ client.Client }
