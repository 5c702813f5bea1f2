package kubeapi

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// KnativeQueue returns the controller of Knative to whose queue call adds the key of its argument; nil for other calls.
func KnativeQueue(call *ssa.CallCommon) *types.Named {
	fn := flow.Callee(call)
	if fn == nil || fn.Name() != "Enqueue" || fn.Signature().Recv() == nil || fn.Signature().Params().Len() != 1 {
		return nil
	}
	if owner := Named(fn.Signature().Recv().Type()); IsKnative(owner) {
		return owner
	}
	return nil
}

// IsKnative reports whether n is the type of the controllers of Knative.
func IsKnative(n *types.Named) bool {
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Name() == "Impl" && strings.HasSuffix(n.Obj().Pkg().Path(), "knative.dev/pkg/controller")
}

// ReconcilesKnative reports whether fn reconciles objects of the kind for Knative, and whether its type observes their
// deletion: the reconciler generated for the kind calls ReconcileKind for objects that exist, and ObserveDeletion alone
// for those that do not.
func ReconcilesKnative(fn *ssa.Function, kind types.Type) (reconciles, observes bool) {
	recv, params := fn.Signature.Recv(), fn.Signature.Params()
	if recv == nil || fn.Name() != "ReconcileKind" || params.Len() != 2 || !types.Identical(params.At(1).Type(), kind) {
		return false, false
	}
	return true, HasMethod(recv.Type(), "ObserveDeletion")
}
