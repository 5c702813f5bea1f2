// Package fetch has what reconcilers call through an interface of another package.
package fetch

import (
	"io"
	"net/http"

	"example.com/operators/unboundedsync/outside/clients"
)

// A Source fetches by a client that another package has made.
type Source struct {
	Client *http.Client
	Fast   *http.Client
}

// NewSource is one with clients of package clients.
func NewSource() (*Source, error) {
	c, err := clients.New(false)
	if err != nil {
		return nil, err
	}
	fast, err := clients.NewFast()
	if err != nil {
		return nil, err
	}
	return &Source{Client: c, Fast: fast}, nil
}

// Fetch asks both of them.
func (s *Source) Fetch(url string) error {
	req, err := s.request(http.MethodGet, url)
	if err != nil {
		return err
	}
	if err := do(s.Fast, req); err != nil { // ok: whoever calls it gives the client
		return err
	}
	if _, err := s.Fast.Do(req); err != nil { // ok: it has a timeout
		return err
	}
	if err := s.do(req); err != nil { // want outside "s.Client.Do (fetch.go:62) waits for a server to answer and cannot be stopped: it takes no context, and its client has no timeout; one that never does keeps the worker for good" @clients.go:14 "the client is made here" @49 "so it is here"
		return err
	}
	again, err := s.request(http.MethodPut, url)
	if err != nil {
		return err
	}
	return s.do(again) // ok: the same client
}

func (s *Source) request(method, url string) (*http.Request, error) {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "*/*")
	return req, nil
}

func (s *Source) do(req *http.Request) error {
	resp, err := s.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func do(c *http.Client, req *http.Request) error {
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Unused is what no program converts to the interface.
type Unused struct{}

// Fetch asks for nobody.
func (Unused) Fetch(url string) error {
	resp, err := http.Get(url) // ok: no reconciler comes here
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
