package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// kindsOf are the kinds of the informers that the handlers of the package are registered with, nil among them where one is not known.
func (t *tombstones) kindsOf() map[*kubeapi.Handler][]types.Type {
	out := map[*kubeapi.Handler][]types.Type{}
	for call := range flow.Calls(t.pkg.All()...) {
		kind, val := kubeapi.HandlerRegistration(call.Common())
		if val == nil {
			continue
		}
		for h := t.handlerOf(val); h != nil; h = h.Behind {
			out[h] = append(out[h], kind)
		}
	}
	return out
}

// handlerOf is the handler of the package that v is, nil where it is none.
func (t *tombstones) handlerOf(v ssa.Value) *kubeapi.Handler {
	of, held := kubeapi.Named(flow.Unwrap(flow.Resolve(v)).Type()), kubeapi.StructAddr(v)
	for _, h := range t.all {
		if h.Val != nil && h.Val == held || h.Type != nil && h.Type == of {
			return h
		}
	}
	return nil
}

// registeredKind is the one kind of the objects that informers give to the handlers with fn; nil where it is not known of each, or there are several.
func (t *tombstones) registeredKind(fn *ssa.Function) types.Type {
	var kind types.Type
	for _, h := range t.all {
		if !slices.Contains(h.Deleted.Fns, fn) {
			continue
		}
		if len(t.kinds()[h]) == 0 {
			return nil
		}
		for _, k := range t.kinds()[h] {
			if k == nil || kind != nil && !types.Identical(kind, k) {
				return nil
			}
			kind = k
		}
	}
	return kind
}
