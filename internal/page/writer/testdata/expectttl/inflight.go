package example

type control struct {
	client client.Client
	busy   sync.Map
}
