package sharing

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// A field of which all stores put into it what a cache has gives that to whoever reads it. Only this package can store to it; and where
// a store puts a parameter there, all calls of the function give it what a cache has.

// A keep says that what a parameter is gets into a field.
type keep struct {
	param int
	field *types.Var
}

// A site is an instruction that puts its argument into a field: a store, or a call of a function that does.
type site struct {
	in  ssa.Instruction
	arg int // 0 for a store
}

// A feeder is a parameter that is the argument of a site.
type feeder struct {
	fn    *ssa.Function
	param int
}

// closed is field i of the struct t, or of the one that t points to, where it holds an object and only this package can store to it; else
// nil.
func (a *Sharing) closed(t types.Type, i int) *types.Var {
	f, n := flow.Field(t, i), kube.Named(t)
	if f == nil || f.Pkg() != a.pass.Pkg || !kube.IsCached(f.Type()) || n == nil || f.Exported() && n.Obj().Exported() {
		return nil
	}
	return f.Origin()
}

// keptIn is the closed field that st puts an object into, nil for none.
func (a *Sharing) keptIn(st *ssa.Store) *types.Var {
	if fa, ok := st.Addr.(*ssa.FieldAddr); ok && !flow.IsNil(st.Val) {
		return a.closed(fa.X.Type(), fa.Field)
	}
	return nil
}

// site is where e, a keep, puts the memory into a field.
func (e Effect) site() site { return site{e.In, e.result} }

// kept are the reads of fields that have nothing but what a cache has.
func (a *Sharing) kept() []Read {
	fields := map[*types.Var]bool{} // false for those that have something else
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			if st, ok := in.(*ssa.Store); ok {
				if f := a.keptIn(st); f != nil {
					was, some := fields[f]
					fields[f] = (was || !some) && a.isKept(site{st, 0}, nil)
				}
			}
		}
	}
	var out []Read
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			var f *types.Var
			switch in := in.(type) {
			case *ssa.UnOp:
				if fa, ok := in.X.(*ssa.FieldAddr); ok && in.Op == token.MUL {
					f = a.closed(fa.X.Type(), fa.Field)
				}
			case *ssa.Field:
				f = a.closed(in.X.Type(), in.Field)
			}
			if fields[f] {
				v := in.(ssa.Value)
				out = append(out, Read{At: in, Value: v, Of: f.Name(), How: Kept, sh: share{at: true}})
			}
		}
	}
	return out
}

// isKept reports whether what s puts into a field is surely what a cache has. Those of within are being asked about.
func (a *Sharing) isKept(s site, within []site) bool {
	if a.covered[s] {
		return true
	}
	if slices.Contains(within, s) {
		return false
	}
	within = append(within, s)
	return slices.ContainsFunc(a.feeders[s], func(f feeder) bool {
		obj := flow.Object(f.fn)
		if obj == nil || obj.Exported() && a.pass.Pkg.Name() != "main" {
			return false
		}
		calls := a.p.Origins().Callers(f.fn)
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(in ssa.CallInstruction) bool { return !a.isKept(site{in, f.param}, within) })
	})
}
