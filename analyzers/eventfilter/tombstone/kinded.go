package tombstone

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// observesNone reports whether the package reconciles objects of the kind for Knative and does nothing about those that are gone: what is generated for the kind
// looks the object up, calls ReconcileKind with it, and where it is gone nothing but ObserveDeletion.
func (t *tombstones) observesNone(kind types.Type) bool {
	reconciles := false
	for _, fn := range t.pkg.Funcs {
		found, observes := kubeapi.ReconcilesKnative(fn, kind)
		if observes {
			return false
		}
		reconciles = reconciles || found
	}
	return reconciles
}
