package example

type marking struct{ predicate.Funcs }
