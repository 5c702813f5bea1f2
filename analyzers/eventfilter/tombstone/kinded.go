package tombstone

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// knativeController is the package of Knative's controllers, whose Impl has the queue.
const knativeController = "knative.dev/pkg/controller"

// isKnative reports whether owner is the type of the controllers of Knative.
func isKnative(owner *types.Named) bool {
	return owner != nil && owner.Obj().Pkg() != nil && owner.Obj().Name() == "Impl" && strings.HasSuffix(owner.Obj().Pkg().Path(), knativeController)
}

// enqueues is the controller of Knative to whose queue call adds the key of its argument; nil where it does not.
func enqueues(call *ssa.CallCommon) *types.Named {
	fn := flow.Callee(call)
	if fn == nil || fn.Name() != "Enqueue" || fn.Signature().Recv() == nil || fn.Signature().Params().Len() != 1 {
		return nil
	}
	if owner := kubeapi.Named(fn.Signature().Recv().Type()); isKnative(owner) {
		return owner
	}
	return nil
}

// observesNone reports whether the package reconciles objects of the kind for Knative and does nothing about those that are gone: what is generated for the kind
// looks the object up, calls ReconcileKind with it, and where it is gone nothing but ObserveDeletion.
func (t *tombstones) observesNone(kind types.Type) bool {
	reconciles := false
	for _, fn := range t.pkg.Funcs {
		recv, params := fn.Signature.Recv(), fn.Signature.Params()
		if recv == nil || fn.Name() != "ReconcileKind" || params.Len() != 2 || !types.Identical(params.At(1).Type(), kind) {
			continue
		}
		if kubeapi.HasMethod(recv.Type(), "ObserveDeletion") {
			return false
		}
		reconciles = true
	}
	return reconciles
}
