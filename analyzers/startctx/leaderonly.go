package startctx

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// leaderOnly reports what runs on the leader alone, because it does not say otherwise, and what every replica needs. What the package hands to
// managers that it does not make goes to keep.
func (c *checker) leaderOnly(keep func(rule.Finding)) {
	added := map[*types.TypeName]bool{}
	c.keep = keep
	for _, a := range c.adds {
		if a.Mgr != nil && c.electionOf(a.Mgr) == never {
			if n := kube.Named(a.What.Type()); n != nil {
				added[n.Obj()] = true // to a manager that has no leader
			}
			continue
		}
		if a.Fn != nil || controllers.RunnableFunc(a.What) != nil {
			c.leaderOnlyFunc(a)
			continue
		}
		if a.Mgr == nil {
			continue
		}
		if c.hiddenCache(a) {
			continue
		}
		switch n := kube.Named(a.What.Type()); {
		case n == nil:
		case types.IsInterface(n):
			c.leaderOnlyGiven(a)
		case !added[n.Obj()]:
			added[n.Obj()] = true
			c.leaderOnlyType(n, a.Pos)
		}
	}
	c.keep = nil
	for _, n := range c.saidRunnable() {
		if !added[n.Obj()] {
			added[n.Obj()] = true
			c.leaderOnlyType(n, token.NoPos)
		}
	}
}

// leaderOnlyFunc is about a RunnableFunc, which has no way to say that it wants to run everywhere.
func (c *checker) leaderOnlyFunc(a controllers.Add) {
	if a.Mgr == nil && (c.elections() == never || c.wrapped(a.What)) {
		return
	}
	if a.Recv != nil && hidesElection(a.Recv.Type()) {
		c.report(rule.Finding{
			Pos: a.Pos, Sub: "leaderonly", Site: "hidden-election-method",
			Message: fmt.Sprintf("%s says by NeedLeaderElection where it wants to run, and a RunnableFunc of its method hides that: it runs on the leader alone", typeName(a.Recv.Type())),
		})
		return
	}
	if a.Far != nil {
		if s, ok := c.needElsewhere(a.Far); ok {
			need := s.Need.Related[0]
			c.report(rule.Finding{
				Pos: a.Pos, Sub: "leaderonly", Site: "runnable-func-peer",
				Message: leaderOnlyFuncMessage(s.Need.Message),
				Related: []analysis.RelatedInformation{{Pos: link.Dirs{need.At.Package(): s.Dir}.Pos(c.pass, need.At), Message: need.Message}},
			})
		}
		return
	}
	if a.Fn == nil || a.Fn.Pkg != c.pkg.Package {
		return
	}
	need := c.everywhere(a.Fn, nil)
	if need == nil {
		return
	}
	if by := c.givenBack(a); by != nil {
		c.exportGivenBack(by, a, need)
		return
	}
	c.report(rule.Finding{
		Pos: a.Pos, Sub: "leaderonly", Site: "runnable-func-endpoint",
		Message: leaderOnlyFuncMessage(fmt.Sprintf("%s (line %d)", need.text, c.line(need.pos))),
		Related: []analysis.RelatedInformation{{Pos: need.pos, Message: "every replica needs this"}},
	})
}

// hidesElection reports whether t says that it does not need the leader's lease.
func hidesElection(t types.Type) bool { return kube.Method(t, "NeedLeaderElection") != nil }

// leaderOnlyType is about a type that is handed to a manager at pos, or says itself that it is a Runnable.
func (c *checker) leaderOnlyType(n *types.Named, pos token.Pos) {
	t := types.NewPointer(n)
	start := kube.Method(t, "Start")
	if start == nil || !controllers.IsStart(start) || kube.Method(t, "NeedLeaderElection") != nil || kube.Method(t, "GetCache") != nil {
		return
	}
	text, at := "", pos
	var related []analysis.RelatedInformation
	switch fn := c.startOf(n); {
	case isCache(t):
		text = "it is a cache, which every replica reads"
	case fn == nil || fn.Pkg != c.pkg.Package:
		if s, ok := c.needElsewhere(start.Origin()); ok {
			s.Need.Sub, s.Need.Site = "leaderonly", "distant-leader-only-type"
			c.reportKept(s, s.Need, leaderOnlyMessage(n, s.Need.Message), pos)
			return
		}
		if kube.Method(t, "GetCertificate") == nil || !rule.OfModule(c.pass, n.Obj().Pkg()) {
			return // that of a library is the library's to mend
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
		Pos: at, Sub: "leaderonly", Site: "leader-only-type",
		Message: leaderOnlyMessage(n, text),
		Related: related,
	})
}

func leaderOnlyMessage(n *types.Named, why string) string {
	return fmt.Sprintf("%s has no NeedLeaderElection, so that a manager runs it on the leader alone, and %s: on the other replicas it never runs", n.Obj().Name(), why)
}

// startOf is the body of n's method Start where it is declared in this package.
func (c *checker) startOf(n *types.Named) *ssa.Function {
	m := kube.Method(types.NewPointer(n), "Start")
	if m == nil {
		return nil
	}
	return c.pkg.Prog.FuncValue(m.Origin())
}

// hiddenCache reports an argument of Add that is a cache of controller-runtime whose type does not say that it needs no
// leader. What cache.New gives for the whole cluster says so; what it puts together for namespaces or kinds does not.
// It matters where something that runs on every replica reads it: controllers wait for the lease themselves.
func (c *checker) hiddenCache(a controllers.Add) bool {
	ex, ok := a.What.(*ssa.Extract)
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
					Pos: a.Pos, Sub: "leaderonly", Site: "leader-only-cache",
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
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if fa, ok := r.Addr.(*ssa.FieldAddr); ok && r.Val == v {
				if kube.Method(fa.X.Type(), "NeedLeaderElection") != nil {
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
	for _, at := range c.pkg.Callers(fn) {
		if call, ok := at.(*ssa.Call); ok {
			if v := flow.ResultAt(call, i); v != nil && c.readEverywhere(v, seen) {
				return true
			}
		}
	}
	return false
}

// saidRunnable lists the types of the package that say that they are Runnables: by an assertion
// `var _ manager.Runnable = …`, or because they are exported, declare the method Start of a Runnable, and nothing in the
// package starts one itself. One that has the Start of what it wraps may as well be started like that. The caches of controller-runtime's own kind count, too.
// Who hands what an internal package has to a manager is of the same module, and says of which.
func (c *checker) saidRunnable() []*types.Named {
	asserted := c.assertions()
	started := c.startedHere()
	public := kube.Imports(c.pass.Pkg, func(path string) bool { return path == kube.Manager || path == kube.ControllerRuntime })
	var out []*types.Named
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(n) || n.TypeParams().Len() > 0 || !rule.Wanted(c.pass, tn.Pos()) || words.Has(name, "fake", "mock") {
			continue
		}
		switch t := types.NewPointer(n); {
		case asserted[tn] && !c.internal(), isCache(t) && kube.Under(c.pass.Pkg.Path(), kube.ControllerRuntime):
		case tn.Exported() && !c.internal() && !started[tn] && (public && c.declaresStart(n) || c.keepsCertificates(n)):
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}

// internal reports whether packages of other modules cannot import this one.
func (c *checker) internal() bool {
	return slices.Contains(strings.Split(c.pass.Pkg.Path(), "/"), "internal")
}

// declaresStart reports whether n has a Start of its own.
func (c *checker) declaresStart(n *types.Named) bool {
	start := c.startOf(n)
	return start != nil && start.Pkg == c.pkg.Package && start.Synthetic == ""
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

// isCache reports whether t has what controller-runtime's Cache has.
func isCache(t types.Type) bool {
	for _, name := range []string{"Get", "List", "GetInformer", "GetInformerForKind", "WaitForCacheSync", "IndexField", "Start"} {
		if kube.Method(t, name) == nil {
			return false
		}
	}
	return true
}

func typeName(t types.Type) string {
	if n := kube.Named(t); n != nil {
		return n.Obj().Name()
	}
	return t.String()
}
