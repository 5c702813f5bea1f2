// Package start has functions that leave a lock held where they fail.
package start

import "sync"

// Mu is everybody's.
var Mu sync.Mutex

// Ended is called by those who end the process.
func Ended(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // ok: the lock ends with the process
	}
	Mu.Unlock()
	return nil
}

// Passed is called by a function that gives the error to one that ends the process.
func Passed(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // ok
	}
	Mu.Unlock()
	return nil
}

// Logged is called by somebody who goes on.
func Logged(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 31) is still held when Logged returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @31 "Mu is locked here"
	}
	Mu.Unlock()
	return nil
}

// Retried is called again.
func Retried(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 41) is still held when Retried returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @41 "Mu is locked here"
	}
	Mu.Unlock()
	return nil
}

// Taken is a value.
func Taken(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 51) is still held when Taken returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @51 "Mu is locked here"
	}
	Mu.Unlock()
	return nil
}

// Uncalled is for others.
func Uncalled(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 61) is still held when Uncalled returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @61 "Mu is locked here"
	}
	Mu.Unlock()
	return nil
}

// Silent says nothing of the failure on one way.
func Silent(set, again func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 71) is still held when Silent returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @71 "Mu is locked here"
	}
	if again() != nil {
		return nil
	}
	Mu.Unlock()
	return nil
}

// A Starter may be called by an interface.
type Starter struct{ mu sync.Mutex }

// Start is a method.
func (s *Starter) Start(set func() error) error {
	s.mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "s.mu (locked at line 87) is still held when (*Starter).Start returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @87 "s.mu is locked here"
	}
	s.mu.Unlock()
	return nil
}

// Served is called by somebody who panics, from which others recover.
func Served(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "Mu (locked at line 97) is still held when Served returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @97 "Mu is locked here"
	}
	Mu.Unlock()
	return nil
}

// Must is called by those who end the process, elsewhere.
func Must(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // ok
	}
	Mu.Unlock()
	return nil
}

// Panicked is called by a main package that panics.
func Panicked(set func() error) error {
	Mu.Lock()
	if err := set(); err != nil {
		return err // ok
	}
	Mu.Unlock()
	return nil
}

// Merged says nothing of the failure where many ways come together.
func Merged(set func() error, first, a, b, c bool) error {
	if first {
		Mu.Lock()
		if err := set(); err != nil {
			return err // want leak/certain "Mu (locked at line 128) is still held when Merged returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @128 "Mu is locked here"
		}
		if set() != nil {
			goto done
		}
		Mu.Unlock()
		return nil
	}
	if a {
		println("a")
	}
	if b {
		println("b")
	}
	if c {
		println("c")
	}
done:
	if a {
		println("a")
	}
	if b {
		println("b")
	}
	if c {
		println("c")
	}
	return nil
}
