package callers

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
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Unit is what the fact F of a rule is made of that has its findings wait for who calls their functions.
type Unit[F any] struct {
	link.Unit[F]
	Waiting
}

// AFact marks what has a Unit as a fact.
func (*Unit[F]) AFact() {}

// Late are the findings that wait, and what the package does with the functions of others.
func (u *Unit[F]) Late() *Waiting { return &u.Waiting }

// String is for the tests of facts.
func (u *Unit[F]) String() string {
	text := "if it is called:"
	for _, k := range u.Findings {
		text += " " + k.Sub + " at " + k.At.String()
	}
	return text
}

// A fact is a pointer to an F that has a Unit.
type fact[F any] interface {
	*F
	analysis.Fact
	Self() *link.Unit[F]
	Late() *Waiting
}

// Delaying is run, the work of a rule, where programs say what they call: without its findings in functions that nobody in a program calls. They
// wait for that in the package's fact, an F. The rule requires program.Analyzer.
func Delaying[F any, P fact[F]](run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		if !rule.Active.Programs || rule.IsDependency(pass) {
			return run(pass)
		}
		own := P(new(F))
		users := sync.OnceValue(func() *users { return newUsers(pass) }) // most packages have no findings
		late := *pass
		late.Report = func(d analysis.Diagnostic) {
			if d.Category == rule.InternalError || !users().delay(own.Late(), d) {
				pass.Report(d)
			}
		}
		result, err := run(&late)
		Together(pass, own, nil)
		return result, err
	}
}

// Together hands own on, the fact of the package of pass, and reports what waits and is called in a program. Lasts reports whether what a call of the package starts
// is to last as long as the process; it may be nil.
func Together[F any, P fact[F]](pass *analysis.Pass, own P, lasts func(ssa.CallInstruction) bool) {
	all := append(link.Gather[F, P](pass), own)
	var parts []Part
	for _, b := range all {
		parts = append(parts, Part{Path: b.Self().Path, Waiting: b.Late()})
	}
	late := own.Late()
	late.Fill(pass, parts, lasts)
	if len(late.Findings)+len(late.Uses) > 0 || rule.Active.DirectFacts && len(all) > 1 {
		link.HandOn(pass, own, all[:len(all)-1])
	}
	if link.Program(pass) {
		Come(pass, link.DirsOf[F, P](all), parts, func(f rule.Finding) { rule.Report(pass, f) })
	}
}

// users is who, in one package, names its functions and calls methods by their names.
type users struct {
	pass    *analysis.Pass
	of      map[*types.Func][]*types.Func // nil among them for what always runs
	invoked map[string]bool
	decls   map[*types.Func]*ast.FuncDecl
}

func newUsers(pass *analysis.Pass) *users {
	u := &users{pass: pass, of: map[*types.Func][]*types.Func{}, invoked: map[string]bool{}, decls: map[*types.Func]*ast.FuncDecl{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					u.decls[obj] = d
				}
			}
		}
	}
	for _, fn := range program.Of(pass).All() {
		by := flow.Object(flow.Decl(fn))
		for in := range flow.Instrs(fn) {
			if call, ok := in.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
				u.invoked[call.Common().Method.Name()] = true
			}
			for _, op := range in.Operands(nil) {
				if named, ok := (*op).(*ssa.Function); ok {
					if obj := flow.Object(named); obj != nil {
						u.of[obj] = append(u.of[obj], by)
					}
				}
			}
		}
	}
	return u
}

// delay reports whether nobody is told of d now: it is in a function that the package does not call. It waits for who else does; of what is in no program, nobody
// knows.
func (u *users) delay(late *Waiting, d analysis.Diagnostic) bool {
	fn := u.at(d.Pos)
	if fn == nil {
		return false
	}
	called, tested, others := u.called(fn)
	if called {
		return false
	}
	if tested && len(others) == 0 {
		rule.WantedFor(u.pass, d.Category, d.Pos) // a comment that silences it has its use all the same
		return true
	}
	_, sub, _ := strings.Cut(d.Category, "/")
	site, _ := rule.SiteOf(d)
	f := rule.Finding{
		Pos: d.Pos, End: d.End, Sub: sub, Site: site, Related: d.Related, Fixes: d.SuggestedFixes,
		Message: strings.TrimSuffix(d.Message, " ("+d.Category+")"), // which the second report adds again
	}
	return late.WaitBeyond(u.pass, others, f)
}

// Tests is whether only tests of other packages come to a place in the package of pass: to the function there, all who call it take what a test has. The rule requires
// program.Analyzer.
func Tests(pass *analysis.Pass) func(token.Pos) bool {
	if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == "testing" }) {
		return func(token.Pos) bool { return false } // nothing takes what a test has
	}
	users := sync.OnceValue(func() *users { return newUsers(pass) })
	return func(pos token.Pos) bool {
		fn := users().at(pos)
		if fn == nil {
			return false
		}
		called, tested, others := users().called(fn)
		return !called && tested && len(others) == 0
	}
}

// at is the declared function of the package that pos is in, nil where it is in none.
func (u *users) at(pos token.Pos) *types.Func {
	for obj, d := range u.decls {
		if d.Pos() <= pos && pos < d.End() {
			return obj
		}
	}
	return nil
}

// called reports whether the package calls fn, or others do of whom nothing is told. Where neither is so, others are the functions and methods
// through which another package comes to fn, which programs know; they may be none. Tested says that tests do.
func (u *users) called(fn *types.Func) (yes, tested bool, others []string) {
	seen := map[*types.Func]bool{nil: true}
	queue := []*types.Func{fn}
	for len(queue) > 0 {
		obj := queue[0].Origin()
		queue = queue[1:]
		if seen[obj] {
			continue
		}
		seen[obj] = true
		if !rule.Active.Tests && forTest(obj) {
			tested = true
			continue
		}
		switch recv := obj.Signature().Recv(); {
		case obj.Name() == "main" && recv == nil || obj.Name() == "init" && recv == nil || u.named(obj):
			return true, false, nil
		case obj.Exported() && u.pass.Pkg.Name() == "main" && recv == nil:
			// Nobody imports it.
		case obj.Exported():
			if u.pass.Pkg.Name() == "main" {
				return true, false, nil
			}
			others = append(others, obj.FullName())
		case recv != nil && u.invoked[obj.Name()]:
			return true, false, nil
		}
		for _, by := range u.of[obj] {
			if by == nil {
				return true, false, nil
			}
			queue = append(queue, by)
		}
	}
	return false, tested, others
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

// named reports whether a comment gives fn a name by which code calls it that is not Go.
func (u *users) named(fn *types.Func) bool {
	d := u.decls[fn]
	if d == nil || d.Body == nil {
		return true
	}
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//export ") || strings.HasPrefix(c.Text, "//go:linkname ") {
			return true
		}
	}
	return false
}
