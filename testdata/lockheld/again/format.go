package again

import (
	"encoding/json"
	"fmt"
	"sync"
)

type device struct {
	mu    sync.Mutex
	name  string
	state int
	child *device
}

func (d *device) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Sprintf("%s(%d)", d.name, d.state)
}

// Check formats the device with its own lock held: fmt calls String.
func (d *device) Check() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state < 0 {
		return fmt.Errorf("device %v is broken", d) // want relock/certain "d.mu (locked at line 24) is locked again (format.go:17, via (*device).String), which deadlocks; unlock first, or call a variant that does not lock" @24 "d.mu is locked here" @27 "calls (*device).String" @17 "second acquisition"
	}
	return nil
}

// CheckFields formats what the device has, and where it lies.
func (d *device) CheckFields() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state < 0 {
		return fmt.Errorf("device %s (%d) at %p of type %T", d.name, d.state, d, d) // ok: %p and %T do not call String
	}
	return nil
}

// Describe formats another device.
func (d *device) Describe() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Sprintf("%s of %s", d.child, d.name) // ok: the child has a lock of its own
}

type profile struct {
	mu   sync.Mutex
	name string
}

func (p *profile) MarshalJSON() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return json.Marshal(p.name)
}

// Save encodes the profile with its own lock held.
func (p *profile) Save(write func([]byte) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, err := json.Marshal(p) // missed: that encoding/json calls MarshalJSON is not known
	if err != nil {
		return err
	}
	return write(b)
}
