// Package clients makes HTTP clients for others.
package clients

import (
	"net/http"
	"time"
)

// New gives a client without a timeout, unless it is to be fast.
func New(fast bool) (*http.Client, error) {
	if fast {
		return &http.Client{Timeout: time.Second}, nil
	}
	return &http.Client{Transport: &http.Transport{MaxIdleConns: 1}}, nil
}

// NewFast gives a client with one.
func NewFast() (*http.Client, error) { return &http.Client{Timeout: time.Second}, nil }
