package certain

import "sync"

// A Store that could not be opened has no owner who could wait for it.
type Store struct {
	mu     sync.Mutex
	loaded chan struct{}
}

func OpenStore(check func() error) (*Store, error) {
	s := &Store{loaded: make(chan struct{})}
	if err := check(); err != nil {
		return nil, err
	}
	go func() { close(s.loaded) }()
	return s, nil
}

func (s *Store) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	<-s.loaded
}

// A Cache is registered before it is known to work.
type Cache struct {
	mu     sync.Mutex
	loaded chan struct{}
}

type Caches struct {
	mu  sync.Mutex
	all map[string]*Cache
}

func (c *Caches) Open(name string, check func() error) error {
	x := &Cache{loaded: make(chan struct{})}
	c.mu.Lock()
	c.all[name] = x
	c.mu.Unlock()
	if err := check(); err != nil {
		return err
	}
	go func() { close(x.loaded) }()
	return nil
}

func (c *Cache) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	<-c.loaded // want blocking/possible "c.mu (locked at line 50) is held across the receive from c.loaded, which may block forever: (*Caches).Open creates the channel at early.go:38 and can return at early.go:43 before it starts the goroutine that closes the channel; unlock first" @50 "c.mu is locked here" @38 "the channel is created here" @43 "and nothing closes it after this return"
}
