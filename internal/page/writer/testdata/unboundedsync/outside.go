package example

type reconciler struct{ url string }
