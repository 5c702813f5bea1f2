package link

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Defers reports whether findings of the package may wait for programs: the driver links every package.
func (u *Unit[S]) Defers() bool { return rule.Active.Programs && !rule.IsDependency(u.Pass) }

// DeferUntilCalled defers f, a finding in fn, if only other packages may call fn. It reports whether it does.
func (u *Unit[S]) DeferUntilCalled(fn *ssa.Function, f rule.Finding) bool {
	fn = flow.Decl(fn)
	obj := flow.Object(fn)
	if !u.Defers() || obj == nil || !obj.Exported() || u.Pass.Pkg.Name() == "main" {
		return false
	}
	p := program.Of(u.Pass)
	if len(p.Callers(fn)) > 0 {
		return false
	}
	for m := range Mentions(p) {
		if m.Func == obj {
			return false
		}
	}
	u.Defer(f, Condition{Called, obj.FullName()})
	return true
}

// DeferUntilOneCalled defers f until another package calls one of the functions of these names. It reports whether it
// does.
func (u *Unit[S]) DeferUntilOneCalled(names []string, f rule.Finding) bool {
	if !u.Defers() {
		return false
	}
	var conditions []Condition
	for _, n := range names {
		conditions = append(conditions, Condition{Called, n})
	}
	u.Defer(f, conditions...)
	return true
}

// deferUncalled defers the finding d if it is in a function that its package does not call. It reports whether d is
// not to be reported now.
func (u *Unit[S]) deferUncalled(g *mentionGraph, d analysis.Diagnostic) bool {
	fn := g.at(d.Pos)
	if fn == nil {
		return false
	}
	called, tested, exported := g.called(fn)
	if called {
		return false
	}
	if tested && len(exported) == 0 {
		rule.WantedFor(u.Pass, d.Category, d.Pos) // a comment that silences it is used
		return true
	}
	_, sub, _ := strings.Cut(d.Category, "/")
	site, _ := rule.SiteOf(d)
	return u.DeferUntilOneCalled(exported, rule.Finding{
		Pos: d.Pos, End: d.End, Sub: sub, Site: site, Related: d.Related, Fixes: d.SuggestedFixes,
		Message: strings.TrimSuffix(d.Message, " ("+d.Category+")"), // which the second report adds again
	})
}

// OnlyTested returns whether only tests of other packages run the function at a place: the functions that lead to it
// take a *testing.T or the like. The rule requires program.Analyzer.
func OnlyTested(pass *analysis.Pass) func(token.Pos) bool {
	if !imports(pass.Pkg, "testing") {
		return func(token.Pos) bool { return false }
	}
	callers := callersAt(pass)
	return func(pos token.Pos) bool {
		called, tested, exported := callers(pos)
		return !called && tested && len(exported) == 0
	}
}

// Entrances returns, for a place, whether the package itself runs the function there, and the names of the functions by
// which other packages may.
func Entrances(pass *analysis.Pass) func(token.Pos) (called bool, exported []string) {
	callers := callersAt(pass)
	return func(pos token.Pos) (bool, []string) {
		called, _, exported := callers(pos)
		return called, exported
	}
}

// callersAt returns what [mentionGraph.called] says of the function at a place; code outside of functions is run by the
// package.
func callersAt(pass *analysis.Pass) func(token.Pos) (called, tested bool, exported []string) {
	graph := sync.OnceValue(func() *mentionGraph { return newMentionGraph(pass) })
	return func(pos token.Pos) (called, tested bool, exported []string) {
		if fn := graph().at(pos); fn != nil {
			return graph().called(fn)
		}
		return true, false, nil
	}
}

// imports reports whether pkg imports the package with that path.
func imports(pkg *types.Package, path string) bool {
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// A mentionGraph has which functions of a package mention which others.
type mentionGraph struct {
	pass    *analysis.Pass
	by      map[*types.Func][]*types.Func // nil among them for the initialization of a variable
	invoked map[string]bool               // names of methods that are called by an interface
	decls   map[*types.Func]*ast.FuncDecl
}

func newMentionGraph(pass *analysis.Pass) *mentionGraph {
	g := &mentionGraph{
		pass: pass, by: map[*types.Func][]*types.Func{}, invoked: map[string]bool{}, decls: map[*types.Func]*ast.FuncDecl{},
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					g.decls[obj] = d
				}
			}
		}
	}
	p := program.Of(pass)
	for m := range Mentions(p) {
		g.by[m.Func] = append(g.by[m.Func], flow.Object(flow.Decl(m.In.Parent())))
	}
	for call := range flow.Calls(p.All()...) {
		if call.Common().IsInvoke() {
			g.invoked[call.Common().Method.Name()] = true
		}
	}
	return g
}

// at returns the declared function that pos is in, nil if it is in none.
func (g *mentionGraph) at(pos token.Pos) *types.Func {
	for obj, d := range g.decls {
		if d.Pos() <= pos && pos < d.End() {
			return obj
		}
	}
	return nil
}

// called reports whether the package calls fn, or code that is not Go may. If not, exported are the names of the
// functions and methods by which other packages may reach call it, and tested says that tests do.
func (g *mentionGraph) called(fn *types.Func) (yes, tested bool, exported []string) {
	inMain := g.pass.Pkg.Name() == "main"
	seen := map[*types.Func]bool{}
	for queue := []*types.Func{fn}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			return true, false, nil
		}
		obj := queue[0].Origin()
		if seen[obj] {
			continue
		}
		seen[obj] = true
		if !rule.Active.Tests && forTest(obj) {
			tested = true
			continue
		}
		switch method := obj.Signature().Recv() != nil; {
		case !method && (obj.Name() == "main" || obj.Name() == "init"), g.linked(obj), method && obj.Exported() && inMain,
			method && !obj.Exported() && g.invoked[obj.Name()]:
			return true, false, nil
		case obj.Exported() && !inMain:
			exported = append(exported, obj.FullName())
		}
		queue = append(queue, g.by[obj]...)
	}
	return false, tested, exported
}

// forTest reports whether fn takes what only a test has.
func forTest(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		t := p.Type()
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
			switch n.Obj().Name() {
			case "T", "TB", "M", "F":
				return true
			}
		}
	}
	return false
}

// linked reports whether fn has no body, or a comment gives it a name by which other code calls it.
func (g *mentionGraph) linked(fn *types.Func) bool {
	d := g.decls[fn]
	return d == nil || d.Body == nil || d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//export ") || strings.HasPrefix(c.Text, "//go:linkname ")
	})
}
