package example

type queue struct{ items []string }
