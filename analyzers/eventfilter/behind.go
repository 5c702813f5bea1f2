package eventfilter

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// behindFilter reports whether the handler literal at addr is the Handler of a FilteringResourceEventHandler whose filter
// says no to every tombstone: then the handler is given none.
func (t *tombstones) behindFilter(addr ssa.Value) bool {
	for _, filtering := range holders(addr) {
		for _, r := range *filtering.Referrers() {
			field, ok := r.(*ssa.FieldAddr)
			if !ok || flow.Field(field.X.Type(), field.Field).Name() != "FilterFunc" {
				continue
			}
			for _, r := range *field.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(field) && t.refuses(st.Val) {
					return true
				}
			}
		}
	}
	return false
}

// refuses reports whether the filter v drops tombstones, as those are reported for.
func (t *tombstones) refuses(v ssa.Value) bool {
	for _, fn := range functions(v, t.pkg, 0) {
		if len(fn.Blocks) == 0 || len(fn.Params) != 1 || fn.Pkg != t.pkg.Package || !isAny(fn.Params[0].Type()) {
			continue
		}
		if problems, _ := t.follow(fn, fn.Params[0], map[*ssa.Function]bool{}, 0); len(problems) > 0 && !problems[0].panics {
			return true
		}
	}
	return false
}

// holders are the FilteringResourceEventHandlers in whose field Handler the literal at addr is put.
func holders(addr ssa.Value) []ssa.Value {
	var out []ssa.Value
	into := func(v ssa.Value) {
		if v.Referrers() == nil {
			return
		}
		for _, r := range *v.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok || st.Val != v {
				continue
			}
			field, ok := st.Addr.(*ssa.FieldAddr)
			if ok && kube.IsType(field.X.Type(), kube.Cache, "FilteringResourceEventHandler") {
				out = append(out, field.X)
			}
		}
	}
	if addr.Referrers() == nil {
		return nil
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface: // a pointer to the literal
			into(r)
		case *ssa.UnOp:
			for _, r := range *r.Referrers() {
				if mi, ok := r.(*ssa.MakeInterface); ok {
					into(mi)
				}
			}
		}
	}
	return out
}
