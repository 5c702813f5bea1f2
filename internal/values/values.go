// Package values follows values within a function and across calls: back to where they come from ([Sources],
// [Operands], [Worklist.Origins]), and on to what is done with them ([Uses]). All of it is flow-insensitive: an edge
// is taken whenever some path takes it.
package values

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Worklist returns each value once, in the order in which they were added.
type Worklist struct {
	list []ssa.Value
	seen map[ssa.Value]bool

	Skip func(ssa.Instruction) bool // which instructions [Worklist.Uses] leaves out, nil for none
}

// From returns a worklist with the values vs.
func From(vs ...ssa.Value) *Worklist {
	w := &Worklist{seen: map[ssa.Value]bool{}}
	w.Add(vs...)
	return w
}

// Add adds the values, but for nil and those that were added before.
func (w *Worklist) Add(vs ...ssa.Value) {
	for _, v := range vs {
		if v != nil && !w.seen[v] {
			w.seen[v] = true
			w.list = append(w.list, v)
		}
	}
}

// Has reports whether v was added.
func (w *Worklist) Has(v ssa.Value) bool { return w.seen[v] }

// All yields the values, also those that are added meanwhile.
func (w *Worklist) All() iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for i := 0; i < len(w.list) && yield(w.list[i]); i++ {
		}
	}
}

// Resolved is All with each value as [flow.Resolve] finds it.
func (w *Worklist) Resolved() iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for v := range w.All() {
			if r := flow.Resolve(v); r != v {
				w.Add(r)
			} else if !yield(v) {
				return
			}
		}
	}
}

// Calls are the calls of a package; *program.Program has them.
type Calls interface {
	Callee(*ssa.CallCommon) *ssa.Function
	Callers(*ssa.Function) []ssa.CallInstruction
}

// Origins yields the values at which [Sources] ends. With calls, parameters are followed to the arguments of callers,
// and results of calls to what the callee returns.
func (w *Worklist) Origins(calls Calls) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for v := range w.All() {
			from := Sources(v)
			if from == nil && calls != nil {
				from = append(Arguments(calls, v), Results(calls, v)...)
			}
			if w.Add(from...); from == nil && !yield(v) {
				return
			}
		}
	}
}

// Sources returns the values that v may be, one step back: through conversions, type assertions, phis, the bindings
// of free variables, and loads of local variables. It is nil for a value that is its own origin.
func Sources(v ssa.Value) []ssa.Value {
	switch x := v.(type) {
	case *ssa.ChangeType:
		return []ssa.Value{x.X}
	case *ssa.ChangeInterface:
		return []ssa.Value{x.X}
	case *ssa.MakeInterface:
		return []ssa.Value{x.X}
	case *ssa.TypeAssert:
		return []ssa.Value{x.X}
	case *ssa.Phi:
		return x.Edges
	case *ssa.Extract:
		if assert, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 0 {
			return []ssa.Value{assert.X}
		}
	case *ssa.UnOp:
		if one := flow.Resolve(x); one != v {
			return []ssa.Value{one}
		}
		if x.Op == token.MUL {
			return Stored(x.X)
		}
	case *ssa.FreeVar:
		if bound := flow.Binding(x); bound != nil {
			return []ssa.Value{bound}
		}
	}
	return nil
}

// Stored returns the values that are stored to the local variable at addr, by its function and the literals that
// capture it; nil for other addresses.
func Stored(addr ssa.Value) (out []ssa.Value) {
	for fv, ok := addr.(*ssa.FreeVar); ok; fv, ok = addr.(*ssa.FreeVar) {
		if addr = flow.Binding(fv); addr == nil {
			return nil
		}
	}
	if _, ok := addr.(*ssa.Alloc); !ok {
		return nil
	}
	cells := From(addr)
	for cell := range cells.All() {
		for st := range flow.StoresTo(cell) {
			out = append(out, st.Val)
		}
		cells.Add(captures(cell)...)
	}
	return out
}

// StoresIn yields the stores to the local variable at addr and to fields in it, by its function and the literals that
// capture it.
func StoresIn(addr ssa.Value) iter.Seq[*ssa.Store] {
	return func(yield func(*ssa.Store) bool) {
		places := From(addr)
		for place := range places.All() {
			for st := range flow.StoresTo(place) {
				if !yield(st) {
					return
				}
			}
			for part := range flow.Referrers[*ssa.FieldAddr](place) {
				places.Add(part)
			}
			places.Add(captures(place)...)
		}
	}
}

// captures returns the free variables that closures bind v to; those of method values are left out.
func captures(v ssa.Value) (out []ssa.Value) {
	for mc := range flow.Referrers[*ssa.MakeClosure](v) {
		if fn := mc.Fn.(*ssa.Function); fn.Synthetic == "" {
			out = append(out, fn.FreeVars[slices.Index(mc.Bindings, v)])
		}
	}
	return out
}

// Arguments returns what the calls give for v, where that is a parameter.
func Arguments(calls Calls, v ssa.Value) (out []ssa.Value) {
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return nil
	}
	i := flow.ParamIndex(p.Parent(), p)
	for _, call := range calls.Callers(p.Parent()) {
		if args := flow.AllArgs(call.Common()); i >= 0 && i < len(args) {
			out = append(out, args[i])
		}
	}
	return out
}

// Results returns what the callee returns for v, where that is a result of a call.
func Results(calls Calls, v ssa.Value) (out []ssa.Value) {
	call, i := flow.ResultOf(v)
	if call == nil {
		return nil
	}
	if fn := calls.Callee(&call.Call); fn != nil {
		for ret := range flow.Returns(fn) {
			out = append(out, ret.Results[i])
		}
	}
	return out
}

// Parameters returns those of fn that call returns v.
func Parameters(fn *ssa.Function, call *ssa.CallCommon, v ssa.Value) (out []ssa.Value) {
	for i, a := range flow.AllArgs(call) {
		if fn != nil && a == v && i < len(fn.Params) {
			out = append(out, fn.Params[i])
		}
	}
	return out
}

// Operands returns the values that v is computed from, one step back: its operands, and for a local variable, a
// struct or an array what is stored there.
func Operands(v ssa.Value) (out []ssa.Value) {
	if alloc, ok := v.(*ssa.Alloc); ok {
		return flow.StoredIn(alloc)
	}
	if in, ok := v.(ssa.Instruction); ok {
		for _, op := range in.Operands(nil) {
			out = append(out, *op)
		}
	}
	return out
}

// DependsOn reports whether v is computed from a value for which is holds: by operations, calls, and local variables.
func DependsOn(v ssa.Value, is func(ssa.Value) bool) bool {
	w := From(v)
	for x := range w.All() {
		if is(x) {
			return true
		}
		w.Add(Operands(x)...)
	}
	return false
}

// ReadsFrom reports whether v is computed from a place reached from owner.
func ReadsFrom(v ssa.Value, owner flow.Path) bool {
	return owner.Known() && DependsOn(v, func(x ssa.Value) bool {
		way, ok := owner.Below(flow.PathOf(x))
		return ok && way != ""
	})
}
