package kubeapi

import (
	"go/types"
	"strings"
)

// The events of controller-runtime, as predicates and handlers name their methods.
const (
	EventCreate  = "Create"
	EventUpdate  = "Update"
	EventDelete  = "Delete"
	EventGeneric = "Generic"
)

// The roles of watches, as a builder names its methods; a Watch call has the last one.
const (
	RoleFor   = "For"   // the object itself is queued
	RoleOwns  = "Owns"  // its owner is queued
	RoleWatch = "Watch" // a handler decides

	RoleIndex    = "Index"    // it is not watched: its informer has an index
	RoleInformer = "Informer" // its informer is asked for explicitly
)

// Fields of an update event.
const (
	OldObject = "ObjectOld"
	NewObject = "ObjectNew"
)

// IsEvent reports whether t is an event of controller-runtime: of kind Create, Update, Delete or Generic, or empty
// for any.
func IsEvent(t types.Type, kind string) bool {
	return strings.HasSuffix(NameIn(t, Event), kind+"Event")
}

// EventObject reports whether the field of an event with that name has an object, and whether it is the old one. The
// metadata had fields of their own before v0.7.
func EventObject(field string) (old, ok bool) {
	switch field {
	case OldObject, "MetaOld":
		return true, true
	case NewObject, "MetaNew", "Object", "Meta":
		return false, true
	}
	return false, false
}
