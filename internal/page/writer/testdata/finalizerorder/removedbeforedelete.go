package example

type mover struct{ client client.Client }
