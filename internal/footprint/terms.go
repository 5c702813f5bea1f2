package footprint

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A scan finds what a package contributes. It follows values backward in their function, flow-insensitively, to where
// they are known, or to places with names, which the program joins: fields whatever their object, variables, parameters
// and results.
type scan struct {
	pass *analysis.Pass
	p    *program.Program
	part *Part
}

// clients returns where the client v comes from.
func (s *scan) clients(v ssa.Value) []Term {
	return follow(v, func(x ssa.Value) ([]Term, []ssa.Value) {
		if t := s.wrapped(x.Type()); t != (Term{}) {
			return []Term{t}, nil
		}
		call, _ := flow.ResultOf(x)
		if call == nil {
			return nil, nil
		}
		switch source, from := kubeapi.ClientFrom(&call.Call); {
		case source == kubeapi.ManagerClient || source == kubeapi.ManagerCache:
			return s.of(source, from), nil
		case from != nil:
			return nil, []ssa.Value{from}
		case source != kubeapi.UnknownSource:
			return []Term{{Source: source}}, nil
		}
		return nil, nil
	})
}

// managers returns where the manager v comes from.
func (s *scan) managers(v ssa.Value) []Term {
	return follow(v, func(x ssa.Value) ([]Term, []ssa.Value) {
		if call, _ := flow.ResultOf(x); call != nil && kubeapi.ManagerMakers.Called(&call.Call) {
			return []Term{{Source: kubeapi.ManagerClient, Name: "@" + string(link.AtOf(s.pass, call.Pos()))}}, nil
		}
		return nil, nil
	})
}

// of returns a client or cache of the manager v.
func (s *scan) of(source Source, v ssa.Value) []Term {
	if v == nil {
		return []Term{{Source: source}}
	}
	terms := s.managers(v)
	for i := range terms {
		terms[i].Source = source
	}
	return terms
}

// wrapped returns the client that a struct of type t is: that in the embedded field whose reads it has as its own, or one
// of the user's, with methods that answer in their own way; the zero Term for other types.
func (s *scan) wrapped(t types.Type) Term {
	n := kubeapi.Named(t)
	if n == nil || n.Obj().Pkg() == nil || !flow.IsStruct(n) || !kubeapi.IsClient(t) || kubeapi.IsLibrary(n.Obj().Pkg().Path()) {
		return Term{}
	}
	var owner types.Type = n
	name := ""
	for _, i := range kubeapi.EmbeddedReader(n) {
		f := flow.Field(owner, i)
		name = fieldName(owner, f)
		owner = f.Type()
	}
	if name != "" {
		return Term{Name: name}
	}
	name = types.TypeString(n, nil)
	if f := kubeapi.EmbeddedClient(n); f != nil {
		s.part.Flows = append(s.part.Flows, Flow{To: name, From: Term{Name: fieldName(n, f)}})
	}
	return Term{Source: kubeapi.WrappedClient, Name: name}
}

// kinds returns the kinds of the object or list v.
func (s *scan) kinds(v ssa.Value) []Term {
	return follow(v, func(x ssa.Value) ([]Term, []ssa.Value) {
		if name := s.typeParam(x.Type(), x.Parent()); name != "" {
			return []Term{{Name: name}}, nil
		}
		switch name, form := kubeapi.KindName(x.Type()); {
		case name != "":
			return []Term{{Kind: Kind{Type: name}}}, nil
		case form == kubeapi.OnlyMetadata:
			return []Term{{Kind: Kind{kindSet(x), Metadata}}}, nil
		case form == kubeapi.AnyContent:
			return []Term{{Kind: Kind{kindSet(x), Unstructured}}}, nil
		}
		if call, ok := x.(*ssa.Call); ok && kubeapi.IsDeepCopy(flow.Callee(&call.Call)) {
			return nil, []ssa.Value{flow.Recv(&call.Call)}
		}
		if load, ok := x.(*ssa.UnOp); ok && load.Op == token.MUL {
			if of, ok := load.X.(*ssa.IndexAddr); ok {
				if list, ok := flow.Appended(flow.Resolve(of.X)); ok && len(list) > 0 {
					return nil, list
				}
			}
		}
		return nil, nil
	})
}

// kindSet returns the kind that an object without a kind of its own is given in its function: by SetGroupVersionKind,
// or by its TypeMeta; "" if that is not known, or there are several.
func kindSet(obj ssa.Value) string {
	var kinds []string
	for in := range values.Uses(obj) {
		if call, ok := in.(ssa.CallInstruction); ok {
			if gvk := kubeapi.KindSet(call.Common()); gvk != nil {
				kinds = append(kinds, kubeapi.KindNamed(gvk))
			}
		}
	}
	if len(kinds) != 1 {
		return ""
	}
	return kinds[0]
}

// typeParam names the type parameter of fn that t is, or points to; "" for other types.
func (s *scan) typeParam(t types.Type, fn *ssa.Function) string {
	tp, ok := types.Unalias(flow.Pointee(t)).(*types.TypeParam)
	if !ok || fn == nil {
		return ""
	}
	decl := flow.Decl(fn)
	params := decl.Signature.TypeParams()
	for i := range params.Len() {
		if params.At(i) == tp {
			return paramName(origin.FuncName(decl), -1-i)
		}
	}
	return "?" // of a receiver: its instances are not told apart
}

func paramName(fn string, i int) string { return fmt.Sprintf("%s#%d", fn, i) }

func resultName(fn string, i int) string { return fmt.Sprintf("%s$%d", fn, i) }

// fieldName names the field f of a struct of type t, "" if t has no name.
func fieldName(t types.Type, f *types.Var) string {
	n := kubeapi.Named(t)
	if n == nil || f == nil || n.Obj().Pkg() == nil {
		return ""
	}
	return kubeapi.Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name() + "." + f.Name()
}

// follow returns what v may be. Known says what a value is, or which other values it is; neither if it does not know.
func follow(v ssa.Value, known func(ssa.Value) (terms []Term, from []ssa.Value)) (out []Term) {
	w := values.From(v)
	for x := range w.All() {
		terms, from := known(x)
		if terms == nil && from == nil {
			from = values.Sources(x)
		}
		if terms == nil && from == nil && !flow.IsNil(x) {
			terms = []Term{{Name: place(x)}}
		}
		w.Add(from...)
		for _, t := range terms {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// place names the place that v is read from, "" for one without a name.
func place(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Parameter:
		fn := x.Parent()
		i := flow.ParamIndex(fn, x)
		if fn.Signature.Recv() != nil {
			i--
		}
		if i >= 0 {
			return paramName(origin.FuncName(fn), i)
		}
	case *ssa.Field:
		return fieldName(x.X.Type(), flow.Field(x.X.Type(), x.Field))
	case *ssa.UnOp:
		switch from := x.X.(type) {
		case *ssa.FieldAddr:
			return fieldName(from.X.Type(), flow.Field(from.X.Type(), from.Field))
		case *ssa.Global:
			if from.Object() != nil {
				return kubeapi.Path(from.Object().Pkg().Path()) + "." + from.Name()
			}
		}
	}
	if call, i := flow.ResultOf(v); call != nil {
		if fn := calleeName(&call.Call); fn != "" {
			return resultName(fn, i)
		}
	}
	return ""
}

// calleeName names the function or the interface's method that call calls, "" for a function value.
func calleeName(call *ssa.CallCommon) string {
	if fn := flow.Callee(call); fn != nil {
		return fn.Origin().FullName()
	}
	if fn := flow.FuncValue(call.Value); fn != nil {
		return origin.FuncName(fn)
	}
	return ""
}
