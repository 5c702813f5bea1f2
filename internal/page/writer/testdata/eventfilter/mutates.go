package example

type ignoring struct{ predicate.Funcs }
