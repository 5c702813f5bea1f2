package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// takenElsewhere reports whether a function of another package makes the change e that may make it for others of the kind, too: one that is given objects of any
// kind, or their metadata, is a tool as those of controllerutil are, and does what its caller wants.
func takenElsewhere(e event) bool {
	if e.at != nil {
		return false
	}
	call, ok := e.in.(ssa.CallInstruction)
	if !ok {
		return true
	}
	args, params := flow.Args(call.Common()), call.Common().Signature().Params()
	i := slices.IndexFunc(args, func(v ssa.Value) bool { return slices.Contains(e.obj.places(), objectOf(v).path) })
	return i < 0 || i >= params.Len() || !ofAnyKind(params.At(i).Type())
}

// ofAnyKind reports whether t is that of objects of any kind, or of their metadata.
func ofAnyKind(t types.Type) bool {
	return types.IsInterface(t) || kube.IsType(t, kube.MetaV1, "ObjectMeta")
}
