package startctx

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// leaderOnly reports what runs on the leader alone, because it does not say otherwise, and what every replica needs.
func (c *checker) leaderOnly() {
	added := map[*types.TypeName]bool{}
	for _, a := range c.adds {
		if a.mgr != nil && c.electionOf(a.mgr) == never {
			if n := kube.Named(a.what.Type()); n != nil {
				added[n.Obj()] = true // to a manager that has no leader
			}
			continue
		}
		if a.fn != nil || runnableFunc(a.what) != nil {
			c.leaderOnlyFunc(a)
			continue
		}
		if a.mgr == nil {
			continue
		}
		if c.hiddenCache(a) {
			continue
		}
		if n := kube.Named(a.what.Type()); n != nil && !types.IsInterface(n) && !added[n.Obj()] {
			added[n.Obj()] = true
			c.leaderOnlyType(n, a.pos)
		}
	}
	for _, n := range c.saidRunnable() {
		if !added[n.Obj()] {
			added[n.Obj()] = true
			c.leaderOnlyType(n, token.NoPos)
		}
	}
}

// leaderOnlyFunc is about a RunnableFunc, which has no way to say that it wants to run everywhere.
func (c *checker) leaderOnlyFunc(a add) {
	if a.mgr == nil && c.elections() == never {
		return
	}
	if a.recv != nil && hidesElection(a.recv.Type()) {
		c.report(rule.Finding{
			Pos: a.pos, Sub: "leaderonly",
			Message: fmt.Sprintf("%s says by NeedLeaderElection where it wants to run, and a RunnableFunc of its method hides that: it runs on the leader alone", typeName(a.recv.Type())),
		})
		return
	}
	if a.fn == nil || a.fn.Pkg != c.pkg.Package {
		return
	}
	need := c.everywhere(a.fn, nil)
	if need == nil {
		return
	}
	c.report(rule.Finding{
		Pos: a.pos, Sub: "leaderonly",
		Message: fmt.Sprintf("this RunnableFunc runs on the leader alone, and %s (line %d): on the other replicas nobody does", need.text, c.line(need.pos)),
		Related: []analysis.RelatedInformation{{Pos: need.pos, Message: "every replica needs this"}},
	})
}

// hidesElection reports whether t says that it does not need the leader's lease.
func hidesElection(t types.Type) bool { return method(t, "NeedLeaderElection") != nil }

// leaderOnlyType is about a type that is handed to a manager at pos, or says itself that it is a Runnable.
func (c *checker) leaderOnlyType(n *types.Named, pos token.Pos) {
	t := types.NewPointer(n)
	start := method(t, "Start")
	if start == nil || !runnableSignature(start) || method(t, "NeedLeaderElection") != nil || method(t, "GetCache") != nil {
		return
	}
	text, at := "", pos
	var related []analysis.RelatedInformation
	switch fn := c.startOf(n); {
	case isCache(t):
		text = "it is a cache, which every replica reads"
	case fn == nil || fn.Pkg != c.pkg.Package:
		if method(t, "GetCertificate") == nil {
			return
		}
		text = "it keeps the certificate that this replica serves with"
	default:
		need := c.everywhere(fn, n)
		if need == nil {
			return
		}
		text = fmt.Sprintf("%s (line %d)", need.text, c.line(need.pos))
		related = append(related, analysis.RelatedInformation{Pos: need.pos, Message: "every replica needs this"})
		at = fn.Pos()
		if pos.IsValid() {
			related = append(related, analysis.RelatedInformation{Pos: pos, Message: "it is handed to the manager here"})
		}
	}
	if n.Obj().Pkg() == c.pkg.Pkg && !(at.IsValid() && at != pos) {
		at = n.Obj().Pos()
	}
	c.report(rule.Finding{
		Pos: at, Sub: "leaderonly",
		Message: fmt.Sprintf("%s has no NeedLeaderElection, so that a manager runs it on the leader alone, and %s: on the other replicas nobody does", n.Obj().Name(), text),
		Related: related,
	})
}

// startOf is the body of n's method Start where it is declared in this package.
func (c *checker) startOf(n *types.Named) *ssa.Function {
	m := method(types.NewPointer(n), "Start")
	if m == nil {
		return nil
	}
	return c.pkg.Prog.FuncValue(m.Origin())
}

// hiddenCache reports an argument of Add that is a cache of controller-runtime whose type does not say that it needs no
// leader. What cache.New gives for the whole cluster says so; what it puts together for namespaces or kinds does not.
// It matters where something that runs on every replica reads it: controllers wait for the lease themselves.
func (c *checker) hiddenCache(a add) bool {
	ex, ok := a.what.(*ssa.Extract)
	if !ok {
		return false
	}
	call, ok := ex.Tuple.(*ssa.Call)
	if !ok || !(kube.Symbol{Pkg: kube.CRCache, Name: "New"}).Is(flow.Callee(&call.Call)) {
		return false
	}
	if !c.readEverywhere(ex, map[ssa.Value]bool{}) {
		return false
	}
	for _, opts := range call.Call.Args {
		stores, ok := fieldStores(opts)
		if !ok {
			continue
		}
		for _, field := range []string{"DefaultNamespaces", "ByObject", "Namespaces"} {
			for _, v := range stores[field] {
				if k, ok := v.(*ssa.Const); ok && k.IsNil() {
					continue
				}
				c.report(rule.Finding{
					Pos: a.pos, Sub: "leaderonly",
					Message: fmt.Sprintf("the cache made with %s at line %d has no NeedLeaderElection, so that the manager starts it on the leader alone: on the other replicas its reads wait or fail", field, c.line(call.Pos())),
					Related: []analysis.RelatedInformation{{Pos: call.Pos(), Message: "the cache is made here"}},
				})
				return true
			}
		}
	}
	return false
}

// readEverywhere reports whether v is put into something that says by NeedLeaderElection where it runs: in this
// function, in those of the package that v is handed to, and in those that it is returned to.
func (c *checker) readEverywhere(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || len(seen) > 64 || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if fa, ok := r.Addr.(*ssa.FieldAddr); ok && r.Val == v {
				if method(fa.X.Type(), "NeedLeaderElection") != nil {
					return true
				}
			} else if alloc, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && c.readEverywhere(alloc, seen) {
				return true
			}
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.UnOp:
			if c.readEverywhere(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.Return:
			for i, res := range r.Results {
				if res == v && c.returnedEverywhere(r.Parent(), i, seen) {
					return true
				}
			}
		case ssa.CallInstruction:
			fn := flow.StaticCallee(r.Common())
			if fn == nil || fn.Pkg != c.pkg.Package {
				continue
			}
			for i, a := range flow.AllArgs(r.Common()) {
				if a == v && i < len(fn.Params) && c.readEverywhere(fn.Params[i], seen) {
					return true
				}
			}
		}
	}
	return false
}

// returnedEverywhere is readEverywhere for result i of fn, at its callers in the package.
func (c *checker) returnedEverywhere(fn *ssa.Function, i int, seen map[ssa.Value]bool) bool {
	found := false
	for _, caller := range c.pkg.Funcs {
		flow.Calls(caller, func(in ssa.CallInstruction) {
			call, ok := in.(*ssa.Call)
			if !ok || found || flow.StaticCallee(&call.Call) != fn {
				return
			}
			if fn.Signature.Results().Len() == 1 {
				found = c.readEverywhere(call, seen)
				return
			}
			for _, r := range *call.Referrers() {
				if ex, ok := r.(*ssa.Extract); ok && ex.Index == i && c.readEverywhere(ex, seen) {
					found = true
				}
			}
		})
	}
	return found
}

// saidRunnable lists the types of the package that say that they are Runnables: by an assertion
// `var _ manager.Runnable = …`, or because they are exported, have the method Start of a Runnable, and nothing in the
// package starts one itself. The caches of controller-runtime's own kind count, too.
func (c *checker) saidRunnable() []*types.Named {
	asserted := c.assertions()
	started := c.startedHere()
	public := kube.Imports(c.pass.Pkg, func(path string) bool { return path == kube.Manager || path == kube.ControllerRuntime })
	var out []*types.Named
	if testing(c.pass.Pkg.Path()) {
		return nil
	}
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(n) || n.TypeParams().Len() > 0 {
			continue
		}
		switch t := types.NewPointer(n); {
		case asserted[tn], isCache(t) && isControllerRuntime(kube.Path(c.pass.Pkg.Path())):
		case tn.Exported() && !started[tn] && (public || c.keepsCertificates(n)):
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}

// testing reports whether the package at path is there for tests.
func testing(path string) bool {
	last := path[strings.LastIndex(path, "/")+1:]
	return strings.HasSuffix(last, "test") || strings.HasPrefix(last, "fake") || strings.HasPrefix(last, "mock")
}

// assertions are the types that a declaration `var _ manager.Runnable = …` names.
func (c *checker) assertions() map[*types.TypeName]bool {
	out := map[*types.TypeName]bool{}
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, s := range gen.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok || spec.Type == nil || len(spec.Values) != 1 || !kube.IsType(c.pass.TypesInfo.TypeOf(spec.Type), kube.Manager, "Runnable") {
					continue
				}
				if n := kube.Named(c.pass.TypesInfo.TypeOf(spec.Values[0])); n != nil {
					out[n.Obj()] = true
				}
			}
		}
	}
	return out
}

// startedHere are the types on whose values the package itself calls Start: they are no business of a manager's.
func (c *checker) startedHere() map[*types.TypeName]bool {
	out := map[*types.TypeName]bool{}
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if callee := flow.Callee(call.Common()); callee == nil || callee.Name() != "Start" {
				return
			}
			if r := flow.Recv(call.Common()); r != nil {
				if n := kube.Named(flow.Unwrap(r).Type()); n != nil {
					out[n.Obj()] = true
				}
			}
		})
	}
	return out
}

// runnableSignature reports whether m is the Start of a Runnable of any version.
func runnableSignature(m *types.Func) bool {
	sig := m.Signature()
	if sig.Params().Len() != 1 || !onlyError(sig) {
		return false
	}
	p := sig.Params().At(0).Type()
	return kube.IsContext(p) || isStopType(p)
}

// isCache reports whether t has what controller-runtime's Cache has.
func isCache(t types.Type) bool {
	for _, name := range []string{"Get", "List", "GetInformer", "GetInformerForKind", "WaitForCacheSync", "IndexField", "Start"} {
		if method(t, name) == nil {
			return false
		}
	}
	return true
}

// method is the method of t, or of a pointer to it, with that name.
func method(t types.Type, name string) *types.Func {
	if _, isPtr := types.Unalias(t).(*types.Pointer); !isPtr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	m, _ := obj.(*types.Func)
	return m
}

func typeName(t types.Type) string {
	if n := kube.Named(t); n != nil {
		return n.Obj().Name()
	}
	return t.String()
}
