// Package apiserver stands for API servers, as clients see them: nothing is sent over a network.
package apiserver

import (
	"io"
	"net/http"
	"strings"

	"k8s.io/client-go/rest"
)

// Silent is the configuration for an API server that takes every request and answers none.
func Silent() *rest.Config {
	return config(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
}

// Empty is the configuration for an API server without objects, in which nothing ever changes.
func Empty() *rest.Config {
	return config(func(r *http.Request) (*http.Response, error) {
		if !r.URL.Query().Has("watch") {
			return answer(r, http.StatusOK, `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}`), nil
		}
		if r.URL.Query().Has("sendInitialEvents") {
			return answer(r, http.StatusUnprocessableEntity, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422}`), nil
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func config(t transport) *rest.Config {
	return &rest.Config{Host: "http://apiserver.invalid", Transport: t}
}

func answer(r *http.Request, code int, body string) *http.Response {
	return &http.Response{
		StatusCode: code,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(body)),
		Request:    r,
	}
}
