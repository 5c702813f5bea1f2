// Package listers looks for those that belong to an object in a cache.
package listers

import (
	"k8s.io/apimachinery/pkg/labels"

	"example.com/operators/finalizerorder/last/api"
)

// A HorseLister has the horses.
type HorseLister interface {
	List(selector labels.Selector) ([]*api.Horse, error)
}

// Horses says whether a barn has horses.
func Horses(lister HorseLister, barn string) (bool, error) {
	list, err := lister.List(labels.Everything())
	for _, horse := range list {
		if horse.Spec.Owner == barn {
			return true, nil
		}
	}
	return false, err
}
