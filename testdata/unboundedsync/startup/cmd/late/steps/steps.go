// Package steps leads to what a program does when it starts.
package steps

import (
	"k8s.io/client-go/informers"

	"example.com/operators/unboundedsync/startup"
)

// First begins.
func First(factory informers.SharedInformerFactory) { startup.Begin(factory) }
