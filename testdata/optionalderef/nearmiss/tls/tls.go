// Package tls is called for objects with the field.
package tls

import "example.com/operators/optionalderef/nearmiss/api"

// Ensure is called behind a test.
func Ensure(site *api.Site) string { return ensure(site) }

func ensure(site *api.Site) string { return site.Spec.TLS.Name }
