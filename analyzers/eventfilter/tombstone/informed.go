package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// kindsOf returns, for each registered handler of the package, the kinds of the informers that it is registered with;
// an unknown kind is nil.
func (t *tombstones) kindsOf() map[*kubeapi.Handler][]types.Type {
	out := map[*kubeapi.Handler][]types.Type{}
	for call := range flow.Calls(t.pkg.All()...) {
		kind, val := kubeapi.HandlerRegistration(call.Common())
		if val == nil {
			continue
		}
		for h := t.handlerOf(val); h != nil; h = h.Wrapped {
			out[h] = append(out[h], kind)
		}
	}
	return out
}

// handlerOf returns the handler of the package that v is, nil if it is none.
func (t *tombstones) handlerOf(v ssa.Value) *kubeapi.Handler {
	of, held := kubeapi.Named(flow.Unwrap(flow.Resolve(v)).Type()), kubeapi.StructAddr(v)
	for _, h := range t.all {
		if h.Val != nil && h.Val == held || h.Type != nil && h.Type == of {
			return h
		}
	}
	return nil
}

// registeredKind returns the one kind of the informers that the handlers with fn are registered with; nil if one is
// not known, or there are several.
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
