// Package kept keeps something of objects by their UIDs.
package kept

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Versions are those that are waited for.
type Versions interface {
	Expect(obj metav1.Object)
	Delete(obj metav1.Object)
}

// New are those of nothing yet.
func New() Versions { return &versions{of: map[types.UID]string{}} }

type versions struct {
	sync.Mutex
	of map[types.UID]string
}

// Expect notes the version of obj.
func (v *versions) Expect(obj metav1.Object) {
	v.Lock()
	defer v.Unlock()
	v.of[obj.GetUID()] = obj.GetResourceVersion()
}

// Delete forgets obj.
func (v *versions) Delete(obj metav1.Object) { // want Delete:"tombstone"
	v.Lock()
	defer v.Unlock()
	delete(v.of, obj.GetUID())
}
