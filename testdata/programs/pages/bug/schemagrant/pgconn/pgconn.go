// Package pgconn opens sessions to the servers that grants name.
package pgconn

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/pages/bug/schemagrant/v1"
)

// Session runs statements on a server.
type Session interface {
	Exec(ctx context.Context, statement string) error
	Close() error
}

// Dialer opens sessions.
type Dialer func(ctx context.Context, dsn string) (Session, error)

// ForGrant opens a session to the server of a grant.
func ForGrant(ctx context.Context, c client.Reader, dial Dialer, grant *v1.SchemaGrant) (Session, error) {
	server := &v1.PostgresServer{}
	key := client.ObjectKey{Namespace: grant.Namespace, Name: grant.Spec.ServerRef}
	if err := c.Get(ctx, key, server); err != nil {
		return nil, fmt.Errorf("getting server %s: %w", key, err)
	}
	port := server.Spec.Port
	if port == 0 {
		port = 5432
	}
	return dial(ctx, fmt.Sprintf("postgres://operator@%s:%d/postgres?sslmode=%s", server.Spec.Host, port, server.Spec.SSLMode))
}
