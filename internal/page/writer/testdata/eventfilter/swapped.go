package example

type taints struct{ predicate.Funcs }
