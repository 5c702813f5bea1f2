// Package filtering has a predicate of functions for other packages.
package filtering

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// Funcs lets through what its functions do, and all else.
type Funcs struct {
	Updated func(event.UpdateEvent) bool
	Deleted func(event.DeleteEvent) bool
}

// Create lets all through.
func (f Funcs) Create(event.CreateEvent) bool { return true }

// Update asks.
func (f Funcs) Update(e event.UpdateEvent) bool { return f.Updated == nil || f.Updated(e) }

// Delete asks.
func (f Funcs) Delete(e event.DeleteEvent) bool { return f.Deleted == nil || f.Deleted(e) }

// Generic lets all through.
func (f Funcs) Generic(event.GenericEvent) bool { return true }
