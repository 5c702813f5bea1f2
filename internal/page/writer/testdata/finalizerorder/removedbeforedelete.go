package example

type mover struct {
	client    client.Client
	apiReader client.Reader
}
