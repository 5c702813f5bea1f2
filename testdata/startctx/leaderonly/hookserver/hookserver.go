// Package hookserver has a webhook server of its own, with controller-runtime's inside.
package hookserver

import "sigs.k8s.io/controller-runtime/pkg/webhook"

// Server serves hooks.
type Server struct {
	webhook.Server
	name string
}

// New makes a Server.
func New(name string) *Server { return &Server{webhook.NewServer(webhook.Options{}), name} }
