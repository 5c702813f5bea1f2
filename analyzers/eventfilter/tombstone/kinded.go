package tombstone

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// observesNone reports whether the package reconciles objects of the kind by Knative's generated reconciler and does
// nothing for those that are gone: that reconciler reads the object, calls ReconcileKind if it exists, and
// ObserveDeletion if the package has that method and the object is gone.
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
