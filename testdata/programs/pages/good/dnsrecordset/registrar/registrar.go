// Package registrar talks to the name servers.
package registrar

import (
	"context"
	"errors"
	"net/http"
)

// Error is an answer of a name server other than 2xx.
type Error struct {
	Code    int
	Message string
}

func (e *Error) Error() string { return e.Message }

// IsGone says whether a record is not there any more.
func IsGone(err error) bool {
	var answer *Error
	return errors.As(err, &answer) && (answer.Code == http.StatusNotFound || answer.Code == http.StatusGone)
}

// Zone is one zone at one name server.
type Zone interface {
	Name() string
	Upsert(ctx context.Context, record, kind string, values []string) error
	Delete(ctx context.Context, record, kind string) error
}
