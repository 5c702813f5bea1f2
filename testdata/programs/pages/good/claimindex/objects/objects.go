// Package objects helps with what informers hand out.
package objects

import (
	"fmt"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// Last is the last known state of a deleted object, be it given as such or in
// a tombstone.
func Last[T any](obj any) (T, bool) {
	if t, ok := obj.(T); ok {
		return t, true
	}
	var none T
	switch gone := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		t, ok := gone.Obj.(T)
		return t, ok
	case *cache.DeletedFinalStateUnknown: // from our own tests
		t, ok := gone.Obj.(T)
		return t, ok
	default:
		utilruntime.HandleError(fmt.Errorf("unexpected %T, want %T", obj, none))
		return none, false
	}
}
