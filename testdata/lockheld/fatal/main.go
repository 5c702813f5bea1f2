// Command fatal ends where something fails, or goes on.
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"sync"

	"example.com/operators/lockheld/fatal/served"
	"example.com/operators/lockheld/fatal/start"
	"k8s.io/klog/v2"
)

func set() error { return errors.New("no") }

var taken = start.Taken

func main() {
	go func() {
		if err := start.Ended(set); err != nil {
			klog.Fatalf("not started: %v", err)
		}
	}()
	if err := run(); err != nil {
		log.Fatal(err)
	}
	if err := start.Logged(set); err != nil {
		log.Print(err)
	}
	for start.Retried(set) != nil {
		log.Print("again")
	}
	if err := taken(set); err != nil {
		log.Fatal(err)
	}
	if err := start.Silent(set, set); err != nil {
		log.Fatal(err)
	}
	if err := new(start.Starter).Start(set); err != nil {
		log.Fatal(err)
	}
	if err := own(set); err != nil {
		panic(err)
	}
	if err := start.Panicked(set); err != nil {
		log.Panic(err)
	}
	if err := start.Merged(set, true, true, true, true); err != nil {
		log.Fatal(err)
	}
	served.Must(set)
	if err := http.ListenAndServe(":80", &served.Handler{Set: set}); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	if err := start.Passed(set); err != nil {
		return fmt.Errorf("not passed: %w", err)
	}
	return nil
}

var mu sync.Mutex

func own(set func() error) error {
	mu.Lock()
	if err := set(); err != nil {
		return err // ok
	}
	mu.Unlock()
	return nil
}
