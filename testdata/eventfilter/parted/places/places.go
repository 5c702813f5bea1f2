// Package places makes keys of objects in several places.
package places

import (
	"errors"
	"strings"

	"k8s.io/client-go/tools/cache"
)

// KeyOf is the key of obj.
func KeyOf(obj any) (string, error) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return gone.Key, nil
	}
	key, err := cache.MetaNamespaceKeyFunc(obj)
	return "here|" + key, err
}

// Parts are those of key.
func Parts(key string) (place, namespace, name string, err error) {
	place, rest, ok := strings.Cut(key, "|")
	namespace, name, named := strings.Cut(rest, "/")
	if !ok || !named {
		return "", "", "", errors.New("no key")
	}
	return place, namespace, name, nil
}
