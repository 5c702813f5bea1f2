package footprint

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// Analyzer computes the footprint of programs. Its result for a main package is a *Program, for others an empty one. It
// reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintfootprint",
	Doc:        "what a program asks of the API server, and what its cache holds",
	Requires:   []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:        rule.Wrap("footprint", new(Program), func(pass *analysis.Pass) (any, error) { return phase.Run(pass) }),
	FactTypes:  []analysis.Fact{new(link.Summary[Part])},
	ResultType: reflect.TypeFor[*Program](),
}

var phase = link.Phase[Part]{Summarize: summarize, Join: func(p *link.Program[Part]) { p.Result.(*Program).join(p) }}

// Checks are those of the rule cachescope, which reports in the pass of the main package: whether a comment silences a
// finding is decided where the request is.
var Checks = []string{"implicit", "forbidden", "predicate", "deadwatch", "disablefor", "rbac"}

// silenced returns the checks that a comment silences at pos.
func (s *scan) silenced(pos token.Pos) (out []string) {
	for _, check := range Checks {
		if !rule.WantedFor(s.pass, "cachescope/"+check, pos) {
			out = append(out, check)
		}
	}
	return out
}

// runs is the kind of the condition that a program runs the function with that name.
const runs = "runs"

func summarize(u *link.Unit[Part]) any {
	s := &scan{pass: u.Pass, part: &u.Part}
	if !rule.IsDependency(u.Pass) {
		u.Part.Types = declaredTypes(u.Pass)
		u.Part.Grants = markerGrants(u.Pass)
	}
	if rule.InTestFolder(u.Pass) || !kubeapi.Imports(u.Pass.Pkg, func(path string) bool {
		return kubeapi.Under(path, kubeapi.ControllerRuntime) || kubeapi.IsLibrary(path)
	}) && !ofBelow(u) {
		return new(Program)
	}
	s.p = program.Of(u.Pass)
	for _, fn := range s.p.All() {
		if !fn.Pos().IsValid() || rule.IsDependency(u.Pass) || rule.Wanted(u.Pass, fn.Pos()) { // not of a test, and not generated
			s.function(fn)
		}
	}
	s.watches()
	u.Part.Managers = managers(s.p, u.Pass)
	u.Uses = append(u.Uses, s.uses()...)
	return new(Program)
}

// uses says which functions with clients run in a program: those that the package runs, and those by which other
// packages may enter it.
func (s *scan) uses() (all []link.Use) {
	named := map[string]bool{}
	for _, r := range s.part.Requests {
		named[r.In] = true
	}
	for _, f := range s.part.Flows {
		named[f.In] = true
	}
	for _, c := range s.part.Calls {
		named[c.In] = true
	}
	for _, m := range s.part.Managers {
		named[m.In] = true
	}
	entrances := link.Entrances(s.pass)
	for _, fn := range s.p.All() {
		name := origin.FuncName(fn)
		if !named[name] || flow.Decl(fn) != fn {
			continue
		}
		called, exported := entrances(fn.Pos())
		use := link.Use{Of: link.Condition{Kind: runs, Of: name}, Always: called || !rule.Active.Programs}
		for _, e := range exported {
			use.If = append(use.If, link.Condition{Kind: link.Called, Of: e})
		}
		all = append(all, use)
	}
	return all
}

// ofBelow reports whether a package below takes clients.
func ofBelow(u *link.Unit[Part]) bool {
	return slices.ContainsFunc(u.Below, func(s *link.Summary[Part]) bool { return len(s.Part.Requests) > 0 })
}

// function takes what fn does with clients and objects.
func (s *scan) function(fn *ssa.Function) {
	name, by := origin.FuncName(fn), origin.FuncName(flow.Decl(fn))
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			switch addr := in.Addr.(type) {
			case *ssa.FieldAddr:
				s.flows(by, fieldName(addr.X.Type(), flow.Field(addr.X.Type(), addr.Field)), in.Val)
			case *ssa.Global:
				s.flows(by, place(&ssa.UnOp{X: addr}), in.Val)
			}
		case *ssa.Return:
			for i, v := range in.Results {
				s.flows(by, resultName(name, i), v)
			}
		case *ssa.MakeInterface:
			s.methods(in.X.Type(), in.Type())
		case *ssa.ChangeInterface:
			s.methods(in.X.Type(), in.Type())
		case ssa.CallInstruction:
			s.call(in)
		}
	}
}

// flows notes that the function in may put v into the place of that name, if v is a client or an object of any kind.
func (s *scan) flows(in, to string, v ssa.Value) {
	if to == "" {
		return
	}
	for _, t := range s.terms(v) {
		s.part.Flows = append(s.part.Flows, Flow{in, to, t})
	}
}

// terms returns where v comes from if its type is one of clients, or of objects of any kind; nil for other values.
func (s *scan) terms(v ssa.Value) []Term {
	switch {
	case flow.IsNil(v):
	case types.IsInterface(v.Type()) && kubeapi.IsClient(v.Type()):
		return s.clients(v)
	case kubeapi.IsManager(v.Type()):
		return s.managers(v)
	case kubeapi.HoldsAnyObject(v.Type()):
		return s.kinds(v)
	}
	return nil
}

// methods notes which methods of type t calls of methods of the interface run, if t is converted to it.
func (s *scan) methods(t, iface types.Type) {
	n, i := kubeapi.Named(t), kubeapi.Named(iface)
	if n == nil || i == nil || i.Obj().Pkg() == nil || !rule.OfModule(s.pass, i.Obj().Pkg()) {
		return
	}
	methods, ok := i.Underlying().(*types.Interface)
	for k := 0; ok && k < methods.NumMethods(); k++ {
		m := methods.Method(k)
		obj, _, _ := types.LookupFieldOrMethod(t, false, m.Pkg(), m.Name())
		concrete, _ := obj.(*types.Func)
		if concrete == nil || concrete == m || !relevant(m.Signature()) {
			continue
		}
		if pair := (Method{m.Origin().FullName(), concrete.Origin().FullName()}); pair.Iface != pair.Func && !slices.Contains(s.part.Methods, pair) {
			s.part.Methods = append(s.part.Methods, pair)
		}
	}
}

// relevant reports whether a function of that signature takes or returns clients, or objects of any kind.
func relevant(sig *types.Signature) bool {
	is := func(v *types.Var) bool {
		return kubeapi.HoldsAnyObject(v.Type()) || kubeapi.IsManager(v.Type()) || types.IsInterface(v.Type()) && kubeapi.IsClient(v.Type())
	}
	return flow.Any(sig.Params().Variables(), is) || flow.Any(sig.Results().Variables(), is)
}

// call takes a call: a request, or one of a function that makes requests with what it is given.
func (s *scan) call(call ssa.CallInstruction) {
	if s.request(call) {
		return
	}
	common := call.Common()
	callee := flow.Callee(common)
	if callee != nil && (callee.Pkg() == nil || kubeapi.IsLibrary(callee.Pkg().Path())) {
		return
	}
	var args []Arg
	for i, v := range flow.Args(common) {
		if terms := s.terms(v); terms != nil {
			args = append(args, Arg{i, terms})
		}
	}
	if fn, ok := common.Value.(*ssa.Function); ok {
		for i, t := range fn.TypeArgs() {
			if name := s.typeParam(t, call.Parent()); name != "" {
				args = append(args, Arg{-1 - i, []Term{{Name: name}}})
			} else if name, _ := kubeapi.KindName(t); name != "" {
				args = append(args, Arg{-1 - i, []Term{{Kind: Kind{Type: name}}}})
			}
		}
	}
	if len(args) == 0 {
		return
	}
	at, in := link.AtOf(s.pass, call.Pos()), origin.FuncName(flow.Decl(call.Parent()))
	names := []string{calleeName(common)}
	if names[0] == "" {
		fns, _ := s.p.Callees(call)
		names = nil
		for _, fn := range fns {
			names = append(names, origin.FuncName(fn))
		}
	}
	for _, name := range names {
		s.part.Calls = append(s.part.Calls, Call{At: at, In: in, Func: name, Args: args})
	}
	if callee != nil && !rule.OfModule(s.pass, callee.Pkg()) || len(names) == 0 {
		s.leaves(at, calleeName(common), args)
	}
}

// leaves notes that the clients among args are passed to code out of sight.
func (s *scan) leaves(at link.At, fn string, args []Arg) {
	var clients []Term
	for _, a := range args {
		for _, t := range a.Terms {
			if t.Kind == (Kind{}) && t.Name[:min(1, len(t.Name))] != "@" {
				clients = append(clients, t)
			}
		}
	}
	if len(clients) > 0 {
		s.part.Left = append(s.part.Left, Leave{at, fn, clients})
	}
}
