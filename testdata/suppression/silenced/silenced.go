// Package silenced has findings of lockheld, with and without comments that silence them.
package silenced

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

// Get takes the lock.
func (c *counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// Bare has no comment.
func (c *counter) Bare() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Get() // want relock/certain "c.mu (locked at line 20) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @20 "c.mu is locked here" @22 "calls (*counter).Get" @13 "second acquisition"
}

// Line has one behind the code.
func (c *counter) Line() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Get() //nolint:lockheld // tried out
}

// Above has one above it.
func (c *counter) Above() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore ctrllint/lockheld tried out
	return c.Get()
}

// Sub names the sub-rule.
func (c *counter) Sub() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Get() //nolint:lockheld/relock // tried out
}

// OtherSub names another sub-rule.
func (c *counter) OtherSub() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore ctrllint/lockheld/leak of another kind
	return c.Get() // want relock/certain "c.mu (locked at line 49) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @49 "c.mu is locked here" @52 "calls (*counter).Get" @13 "second acquisition"
}

// OtherRule names another rule.
func (c *counter) OtherRule() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Get() //nolint:startctx // want relock/certain "c.mu (locked at line 57) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @57 "c.mu is locked here" @59 "calls (*counter).Get" @13 "second acquisition"
}

// Function is silenced as a whole.
//
//nolint:ctrllint // tried out
func (c *counter) Function() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n > 0 {
		return 0
	}
	return c.Get()
}

// Block is silenced in the statement that begins at the comment, and not behind it.
func (c *counter) Block() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n > 0 { //nolint:lockheld // tried out
		return c.Get()
	}
	return c.Get() // want relock/certain "c.mu (locked at line 76) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @76 "c.mu is locked here" @81 "calls (*counter).Get" @13 "second acquisition"
}

// Far has the comment too far away.
func (c *counter) Far() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore ctrllint/lockheld too far away

	return c.Get() // want relock/certain "c.mu (locked at line 86) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @86 "c.mu is locked here" @90 "calls (*counter).Get" @13 "second acquisition"
}

// Staticcheck names a check of another tool.
func (c *counter) Staticcheck() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore SA2001 of another tool
	return c.Get() // want relock/certain "c.mu (locked at line 95) is locked again (silenced.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock" @95 "c.mu is locked here" @98 "calls (*counter).Get" @13 "second acquisition"
}
