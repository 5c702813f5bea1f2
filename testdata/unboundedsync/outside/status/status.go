// Package status asks servers for reconcilers of other packages.
package status

import (
	"context"
	"net/http"
	"time"
)

// Ask makes a request that nothing ends.
func Ask(url string) error {
	resp, err := http.Get(url) // want outside "http.Get waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never does keeps the worker for good"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// AskFor makes a request that ends with ctx.
func AskFor(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// AskSoon makes a request that ends after a time.
func AskSoon(url string) error {
	c := &http.Client{Timeout: time.Second}
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Sources are what reconcilers know of who fetches.
type Sources interface{ Fetch(url string) error }
