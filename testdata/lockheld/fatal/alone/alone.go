// Package alone has nobody who imports it.
package alone

import (
	"log"
	"sync"
)

var mu sync.Mutex

func logged(set func() error) error {
	mu.Lock()
	if err := set(); err != nil {
		return err // want leak/certain "mu (locked at line 12) is still held when logged returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @12 "mu is locked here"
	}
	mu.Unlock()
	return nil
}

func passed(set func() error) error { return logged(set) }

// Log goes on here.
func Log(set func() error) {
	if err := passed(set); err != nil {
		log.Print(err)
	}
}

func ended(set func() error) error {
	mu.Lock()
	if err := set(); err != nil {
		return err // ok
	}
	mu.Unlock()
	return nil
}

// End ends the process.
func End(set func() error) {
	if err := ended(set); err != nil {
		log.Fatal(err)
	}
}
