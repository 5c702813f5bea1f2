// Command late begins with what another package leads to.
package main

import (
	"k8s.io/client-go/informers"

	"example.com/operators/unboundedsync/startup"
	"example.com/operators/unboundedsync/startup/cmd/late/steps"
)

var (
	factory informers.SharedInformerFactory
	ticks   chan struct{}
)

func main() {
	steps.First(factory)
	later(startup.Handed)
	for range 3 {
		startup.Tried(factory)
	}
	for {
		<-ticks
		startup.Anew(factory)
	}
}

func later(f func(informers.SharedInformerFactory)) { defer f(factory) }
