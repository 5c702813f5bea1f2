// Package scopes has what reconcilers hand on to others.
package scopes

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/data"

// Params is what a Scope is made of.
type Params struct {
	Client client.Client
	Event  *corev1.Event
	Claim  *corev1.PersistentVolumeClaim
}

// A Scope is what one turn works on.
type Scope struct {
	client.Client
	Event *corev1.Event
	Claim *corev1.PersistentVolumeClaim
}

// New gives none without an event.
func New(p Params) (*Scope, error) { // want New:"its result 0 has p0.Event as Event; its result 0 has p0.Claim as Claim"
	if p.Event == nil {
		return nil, errors.New("no event")
	}
	s := &Scope{Client: p.Client, Event: p.Event}
	s.Claim = p.Claim
	return s, nil
}

// Either gives one of two, so that it is not said which.
func Either(c client.Client, one, other *corev1.Event) *Scope {
	if one.Name == "" {
		return &Scope{Client: c, Event: other}
	}
	return &Scope{Client: c, Event: one}
}

// Release takes the finalizer off the event.
func (s *Scope) Release(ctx context.Context) error { // want Release:"writes p0.Event; removes at once p0.Event example.com/data"
	controllerutil.RemoveFinalizer(s.Event, guard)
	return s.Update(ctx, s.Event)
}
