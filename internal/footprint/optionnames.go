package footprint

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// names returns the namespaces that a name or a slice of names may have at a point. Only names that are known to be
// empty may be all namespaces: constants, flags and environment variables, unless a test rules it out.
func (r *optionReader) names(v ssa.Value, at point) (list []Namespace) {
	v = flow.Unwrap(v)
	leave, ok := r.enter(v, 'n')
	if !ok {
		return nil
	}
	defer leave()
	if text, ok := kubeapi.ConstantText(v); ok || flow.IsEmpty(v) {
		return []Namespace{{text, text == ""}}
	}
	if name, empty := r.external(v); name != "" {
		list = []Namespace{{name, empty}}
	} else if from := parts(v); from != nil {
		for _, e := range from {
			list = append(list, r.names(e, at)...)
		}
	} else {
		may := r.alternatives(v)
		if from := pointee(v); from != nil {
			for _, in := range r.uses(bound(from)) {
				if st, ok := in.(*ssa.Store); ok && variable(st.Addr) == variable(from) && st.Parent().Parent() != v.Parent() {
					may = append(may, alternative{st.Val, point{in: st.Block()}})
				}
			}
		}
		for _, a := range may {
			list = append(list, r.names(a.v, a.at)...)
		}
	}
	if list == nil {
		list = []Namespace{{Text: flow.PathOf(v).String()}}
	}
	if r.demanded(v, at) {
		list = slices.DeleteFunc(list, func(n Namespace) bool { return n.Text == "" })
		for i := range list {
			list[i].All = false
		}
	}
	return list
}

// parts returns the elements of the slice v, or the text or slice that v is a part of or computed from by a function of
// package strings.
func parts(v ssa.Value) []ssa.Value {
	switch x := v.(type) {
	case *ssa.Convert:
		return []ssa.Value{x.X}
	case *ssa.Slice:
		return flow.Elements(x)
	case *ssa.UnOp:
		if of, ok := x.X.(*ssa.IndexAddr); ok {
			return []ssa.Value{of.X}
		}
	case *ssa.Call:
		if flow.Builtin(&x.Call) == "append" {
			return x.Call.Args
		}
		if kubeapi.SymbolOf(flow.Callee(&x.Call)).Pkg == "strings" && len(x.Call.Args) > 0 {
			return x.Call.Args[:1]
		}
	}
	return nil
}

// name returns what people call v: the one text or external name that it may be, or its path in the source.
func (r *optionReader) name(v ssa.Value, at point) string {
	if list := r.names(v, at); len(list) == 1 && list[0].Text != "" {
		return list[0].Text
	}
	return flow.PathOf(flow.Unwrap(v)).String()
}

// external returns how people set the value of v, a flag or an environment variable: "--name" or "$NAME", and whether it
// may be empty unless they do; "" for other values.
func (r *optionReader) external(v ssa.Value) (name string, empty bool) {
	if flag := r.flagOf(v); flag != nil {
		args := flow.Args(flag)
		if _, pointer := args[0].Type().Underlying().(*types.Pointer); pointer {
			args = args[1:]
		}
		empty = slices.ContainsFunc(r.names(args[len(args)-2], point{in: v.(*ssa.UnOp).Block()}), func(n Namespace) bool { return n.All })
		name, _ = flow.Text(args[0])
		return "--" + name, empty
	}
	if call, i := flow.ResultOf(v); call != nil && i == 0 && kubeapi.ReadsEnvironment(&call.Call) {
		return "$" + r.name(call.Call.Args[0], point{in: call.Block()}), true
	}
	return "", false
}

// flagOf returns the call that defines the flag whose value v is, nil for others.
func (r *optionReader) flagOf(v ssa.Value) *ssa.CallCommon {
	from := pointee(v)
	if from == nil {
		return nil
	}
	from = flow.Resolve(from)
	if g, ok := pointee(from).(*ssa.Global); ok {
		from = flow.Initial(g)
	}
	type flags struct{}
	return program.Memo(r.p, flags{}, func() map[any]*ssa.CallCommon {
		found := map[any]*ssa.CallCommon{}
		for call := range flow.Calls(r.p.All()...) {
			callee, args := kubeapi.SymbolOf(flow.Callee(call.Common())), flow.Args(call.Common())
			switch {
			case callee.Pkg != "flag" && callee.Pkg != "github.com/spf13/pflag" || len(args) < 3:
			case strings.Contains(callee.Name, "Var"):
				found[variable(args[0])] = call.Common()
			case call.Value() != nil:
				found[call.Value()] = call.Common()
			}
		}
		return found
	})[variable(from)]
}

// demanded reports whether v is not empty where control comes to a point.
func (r *optionReader) demanded(v ssa.Value, at point) bool {
	for test, t := range at.tests() {
		if x, set := setTest(test.Cond, t); set == flow.True && (x == v || r.name(x, at) == r.name(v, at)) {
			return true
		}
	}
	return false
}

// setTest returns the value of which cond says whether it is empty or nil, and whether it is set if cond has the truth
// t; nil and Unknown for other conditions.
func setTest(cond ssa.Value, t flow.Truth) (x ssa.Value, set flow.Truth) {
	cond, is := flow.StripNot(cond)
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || t == flow.Unknown {
		return nil, flow.Unknown
	}
	if !is {
		t = t.Not()
	}
	x, set = flow.Unwrap(cmp.X), flow.Equal(cmp, t).Not()
	if call, ok := x.(*ssa.Call); ok && flow.Builtin(&call.Call) == "len" && flow.IsZeroInt(cmp.Y) {
		if cmp.Op == token.GTR {
			set = t
		}
		return call.Call.Args[0], set
	}
	if text, ok := flow.Text(cmp.Y); !flow.IsNil(cmp.Y) && (!ok || text != "") {
		return nil, flow.Unknown
	}
	return x, set
}

// An alternative is a value that another one may be, at a point.
type alternative struct {
	v  ssa.Value
	at point
}

// alternatives returns what v may be, one step back, other than by loads; nil for a value that is its own origin, or of
// which nothing is known. A zero result beside an error is none.
func (r *optionReader) alternatives(v ssa.Value) (list []alternative) {
	switch x := v.(type) {
	case *ssa.Phi:
		for i, e := range x.Edges {
			list = append(list, alternative{e, point{x.Block().Preds[i], x.Block()}})
		}
	case *ssa.Call, *ssa.Extract:
		call, i := flow.ResultOf(x)
		if call == nil || r.p.Callee(&call.Call) == nil {
			return nil
		}
		fn := r.p.Callee(&call.Call)
		failed := flow.ErrorResult(fn.Signature)
		for ret := range flow.Returns(fn) {
			result, _ := flow.Returned(ret, i)
			if failed < 0 || failed == i || flow.IsNil(ret.Results[failed]) || !flow.IsZero(result) {
				list = append(list, alternative{result, point{in: ret.Block()}})
			}
		}
	case *ssa.Parameter:
		for _, call := range r.p.Callers(x.Parent()) {
			if args, i := flow.AllArgs(call.Common()), flow.ParamIndex(x.Parent(), x); i < len(args) {
				list = append(list, alternative{args[i], point{in: call.Block()}})
			}
		}
	case *ssa.FreeVar:
		if made := flow.ClosureSite(x.Parent()); made != nil && flow.Binding(x) != nil {
			list = append(list, alternative{flow.Binding(x), point{in: made.Block()}})
		}
	}
	return list
}

// pointee returns the address that v is loaded from, nil for other values.
func pointee(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return nil
}

// bound returns what the free variable addr is bound to; other values as they are.
func bound(addr ssa.Value) ssa.Value {
	for fv, ok := addr.(*ssa.FreeVar); ok && flow.Binding(fv) != nil; fv, ok = addr.(*ssa.FreeVar) {
		addr = flow.Binding(fv)
	}
	return addr
}

// variable returns what all addresses of a variable have in common: of a field of a struct other than of options, that
// is the field, whatever the struct.
func variable(addr ssa.Value) any {
	addr = bound(addr)
	if fa, ok := addr.(*ssa.FieldAddr); ok && !kubeapi.IsOptions(fa.X.Type()) {
		return flow.Field(fa.X.Type(), fa.Field).Origin()
	}
	return addr
}

// uses returns the instructions of the package that use the variable at addr, without bodies of loops over functions.
func (r *optionReader) uses(addr ssa.Value) []ssa.Instruction {
	type uses struct{}
	return program.Memo(r.p, uses{}, func() map[any][]ssa.Instruction {
		found := map[any][]ssa.Instruction{}
		for in := range flow.Instrs(r.p.All()...) {
			if in.Parent().Synthetic != "" && in.Parent().Parent() != nil {
				continue
			}
			for _, op := range in.Operands(nil) {
				if *op == nil {
					continue
				}
				if _, ok := (*op).Type().Underlying().(*types.Pointer); ok {
					found[variable(*op)] = append(found[variable(*op)], in)
				}
			}
		}
		return found
	})[variable(addr)]
}
