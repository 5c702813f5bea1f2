// Package hookserver has a webhook server of its own, with controller-runtime's inside, and a certificate for it.
package hookserver

import (
	"context"
	"crypto/tls"
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// Server serves hooks.
type Server struct {
	webhook.Server
	name string
}

// New makes a Server.
func New(name string) *Server { return &Server{webhook.NewServer(webhook.Options{}), name} }

// Files keeps a certificate.
type Files struct {
	Name string
	cert *tls.Certificate
}

// Start waits: what it does with files is told where it is added.
func (f *Files) Start(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// GetCertificate is for a tls.Config.
func (f *Files) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.cert, nil }

// Pages serves pages, of which only its field tells those who import it.
type Pages struct {
	server *http.Server
}

// Start serves until ctx ends.
func (p *Pages) Start(ctx context.Context) error {
	go func() { <-ctx.Done(); _ = p.server.Close() }()
	return p.server.ListenAndServe()
}

// NeedLeaderElection says that every replica serves.
func (*Pages) NeedLeaderElection() bool { return false }
