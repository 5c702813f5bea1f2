// Package webhook checks objects before they are stored.
package webhook

import (
	"errors"

	"example.com/operators/optionalderef/across/api"
)

// Default sets what is missing.
func Default(web *api.Web) {
	image := "web"
	web.Spec.Image = &image
}

// Validate refuses objects.
func Validate(web *api.Web) error {
	if web.Spec.Cache == nil {
		return errors.New("cache is missing")
	}
	return nil
}
