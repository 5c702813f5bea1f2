package example

type client struct {
	mu    sync.Mutex
	token string
}

func (c *client) ask(context.Context) string { return "token" }

func (c *client) Token() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token
}
