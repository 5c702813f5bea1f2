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

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
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
			if n := kubeapi.Named(a.What.Type()); n != nil {
				added[n.Obj()] = true // to a manager that has no leader
			}
			continue
		}
		if n := kubeapi.Named(a.What.Type()); a.Mgr != nil && n != nil && !types.IsInterface(n) && !added[n.Obj()] {
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

// leaderOnlyType is about a type that is handed to a manager at pos, or says itself that it is a Runnable.
func (c *checker) leaderOnlyType(n *types.Named, pos token.Pos) {
	t := types.NewPointer(n)
	if !kubeapi.IsRunnableStart(kubeapi.StartOf(t)) || kubeapi.HasLeaderChoice(t) {
		return
	}
	text, at := "", pos
	var related []analysis.RelatedInformation
	switch fn := c.startOf(n); {
	case kubeapi.IsCache(t):
		text = "it is a cache, which every replica reads"
	case fn == nil || fn.Pkg != c.pkg.Package:
		if kubeapi.Method(t, "GetCertificate") == nil || !rule.OfModule(c.pass, n.Obj().Pkg()) {
			return // that of a library is the library's to mend
		}
		text = "it manages this replica's serving certificate"
	default:
		need := c.everywhere(fn, n)
		if need == nil {
			return
		}
		text = fmt.Sprintf("%s (line %d)", need.text, c.line(need.pos()))
		related = append(related, analysis.RelatedInformation{Pos: need.pos(), Message: "every replica needs this"})
		at = fn.Pos()
		if pos.IsValid() {
			related = append(related, analysis.RelatedInformation{Pos: pos, Message: "it is added to the manager here"})
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
	return fmt.Sprintf("%s has no NeedLeaderElection method, so it runs on the leader only, but %s; add one that returns false", n.Obj().Name(), why)
}

// startOf is the body of n's method Start where it is declared in this package.
func (c *checker) startOf(n *types.Named) *ssa.Function {
	m := kubeapi.StartOf(types.NewPointer(n))
	if m == nil {
		return nil
	}
	return c.pkg.Prog.FuncValue(m.Origin())
}

// saidRunnable lists the types of the package that say that they are Runnables: by an assertion
// `var _ manager.Runnable = …`, or because they are exported, declare the method Start of a Runnable, and nothing in the
// package starts one itself. One that has the Start of what it wraps may as well be started like that. The caches of controller-runtime's own kind count, too.
// Who hands what an internal package has to a manager is of the same module, and says of which.
func (c *checker) saidRunnable() []*types.Named {
	asserted := c.assertions()
	started := c.startedHere()
	public := kubeapi.Imports(c.pass.Pkg, func(path string) bool { return path == kubeapi.Manager || path == kubeapi.ControllerRuntime })
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
		case asserted[tn] && !c.internal(), kubeapi.IsCache(t) && kubeapi.Under(c.pass.Pkg.Path(), kubeapi.ControllerRuntime):
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
				if !ok || spec.Type == nil || len(spec.Values) != 1 || !kubeapi.RunnableType.Is(c.pass.TypesInfo.TypeOf(spec.Type)) {
					continue
				}
				if n := kubeapi.Named(c.pass.TypesInfo.TypeOf(spec.Values[0])); n != nil {
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
	for call := range flow.Calls(c.pkg.Funcs...) {
		if !kubeapi.IsStart(flow.Callee(call.Common())) {
			continue
		}
		if r := flow.Recv(call.Common()); r != nil {
			if n := kubeapi.Named(flow.Unwrap(r).Type()); n != nil {
				out[n.Obj()] = true
			}
		}
	}
	return out
}
