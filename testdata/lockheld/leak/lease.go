package leak

import "sync"

// A cellar hands out its stock under its lock, and what ends the visit.
type cellar struct {
	mu    sync.Mutex
	stock map[string]int
	last  func(string)
}

func (c *cellar) visit() (map[string]int, func(taken string)) {
	c.mu.Lock()
	return c.stock, func(taken string) {
		delete(c.stock, taken)
		c.mu.Unlock()
	}
}

// Fetch forgets to end its visit where there is too little.
func (c *cellar) Fetch(name string, n int) error {
	stock, done := c.visit()
	left, ok := stock[name]
	if !ok {
		done("")
		return errClosed
	}
	if left < n {
		return errClosed // want leak/certain "c.mu (locked at line 22) is still held when (*cellar).Fetch returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @22 "c.mu is locked here"
	}
	done(name)
	return nil
}

// Look ends each.
func (c *cellar) Look(name string) int {
	stock, done := c.visit()
	defer done("")
	if stock == nil {
		return 0
	}
	return stock[name]
}

// begin hands it on to the caller.
func (c *cellar) begin(name string) (func(string), error) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return nil, errClosed
	}
	return done, nil // ok
}

// Begun ends what begin has begun.
func (c *cellar) Begun(name string) error {
	done, err := c.begin(name)
	if err != nil {
		return err
	}
	done(name)
	return nil
}

// same hands on one of two.
func (c *cellar) same(name string) func(string) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return func(string) {}
	}
	return done // ok
}

// pair hands it on besides others.
func (c *cellar) pair(name string) (int, func(string)) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return 0, func(string) {}
	}
	return 1, func(taken string) { done(taken + name) } // ok
}

// Later lets a goroutine end it.
func (c *cellar) Later(name string, work func()) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return
	}
	go func() {
		defer done(name)
		work()
	}()
}

// Handed gives it to others.
func (c *cellar) Handed(name string, to func(func(string))) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return
	}
	to(done) // ok
}

// Kept keeps it for later.
func (c *cellar) Kept(name string) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return
	}
	c.last = done // ok
}

// Chosen ends it by one of two functions.
func (c *cellar) Chosen(name string) bool {
	stock, done := c.visit()
	end := func() { done(name) }
	if stock[name] == 0 {
		end = func() { done("") }
	}
	defer end()
	return stock[name] > 1 // ok
}

// Sent gives it to who listens.
func (c *cellar) Sent(name string, ends chan<- func(string)) {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return
	}
	ends <- done // ok
}

type visit struct {
	stock map[string]int
	end   func(string)
}

// open puts it into a struct.
func (c *cellar) open(name string) *visit {
	stock, done := c.visit()
	if stock[name] == 0 {
		done("")
		return nil
	}
	return &visit{stock, done} // ok
}

var (
	_ = (*cellar).open
	_ = (*cellar).same
	_ = (*cellar).pair
)

// Looks does so after it has handed on what ends its visit.
func (c *cellar) Looks(name string, work func()) int {
	_, done := c.visit()
	go func() {
		defer done(name)
		work()
	}()
	return c.Look(name) // ok: it waits for the goroutine
}

// Told hands it to others before it looks.
func (c *cellar) Told(name string, to func(func(string))) int {
	_, done := c.visit()
	to(done)
	return c.Look(name) // ok: they may have ended it
}

// Once looks while it visits.
func (c *cellar) Once(name string) int {
	_, done := c.visit()
	defer done(name)
	return c.Look(name) // want relock/certain "c.mu (locked at line 179) is locked again (lease.go:13, via (*cellar).Look, (*cellar).visit), which deadlocks; unlock first, or call a variant that does not lock" @179 "c.mu is locked here" @181 "calls (*cellar).Look" @37 "calls (*cellar).visit" @13 "second acquisition"
}
