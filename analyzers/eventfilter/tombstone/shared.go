package tombstone

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether somebody misses the deletions that a predicate drops is for those to say who watch with it. Where a package makes it for others, these are in sight where
// programs are put together: till then the finding is kept.

// Filters is the fact of a package: the findings in predicates that it makes for others, and what it does with those of packages below.
type Filters struct {
	link.Unit[Filters]
	Kept []keptFilter
	Uses []FilterUse
}

// A keptFilter is a finding in the predicate that is had by the names Makers: of a function that makes it, of a variable, or of the method Update of its type.
type keptFilter struct {
	Makers []string
	link.Kept
}

// A FilterUse says that a package uses the predicate that is had by the name Of, and whether all watches there that it guards miss nothing by it.
type FilterUse struct {
	Of       string
	Needless bool
}

// AFact marks Filters as a fact.
func (*Filters) AFact() {}

// String is for the tests of facts.
func (f *Filters) String() string {
	text := "predicates for others:"
	for _, k := range f.Kept {
		text += " at " + k.At.String()
	}
	return text
}

// keep puts off the finding in fn, a part of a predicate of which no watch of the package is in sight, until a program says who watches with it. It reports whether one will.
func (t *tombstones) keep(fn *ssa.Function, f rule.Finding) bool {
	if !rule.Active.Programs || rule.IsDependency(t.pass) || t.pass.Pkg.Name() == "main" {
		return false
	}
	makers := t.makersOf(fn)
	if len(makers) == 0 {
		return false
	}
	if k, ok := link.Keep(t.pass, f); ok {
		t.filters.Kept = append(t.filters.Kept, keptFilter{makers, k})
	}
	return true
}

// makersOf are the names by which other packages have the predicate that fn is a part of; none where they do not, or the package has a watch with it itself.
func (t *tombstones) makersOf(fn *ssa.Function) []string {
	for _, c := range controllers.Controllers(t.pkg) {
		if t.isOf(c.Filters, fn) || slices.ContainsFunc(c.Watches, func(w *controllers.Watch) bool { return t.isOf(w.Predicates, fn) }) {
			return nil
		}
	}
	var names []string
	has := func(p *controllers.Pred) bool {
		for q := range p.All {
			for _, part := range q.Fns {
				if part == fn {
					return true
				}
			}
		}
		return false
	}
	if recv := fn.Signature.Recv(); recv != nil {
		if obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, t.pass.Pkg, "Update"); obj != nil {
			if method, ok := obj.(*types.Func); ok {
				names = append(names, method.FullName())
			}
		}
	}
	for _, maker := range t.pkg.Funcs {
		obj := flow.Object(maker)
		if obj == nil || !obj.Exported() || maker.Parent() != nil {
			continue
		}
		if p := controllers.PredicateFrom(t.pkg, maker); p != nil && maker != fn && has(p) {
			names = append(names, obj.FullName())
		}
	}
	for _, member := range t.pkg.Package.Members {
		g, ok := member.(*ssa.Global)
		if !ok || g.Object() == nil || !g.Object().Exported() {
			continue
		}
		if v := flow.Initial(g); v != nil && has(controllers.PredicateOf(t.pkg, v, g.Pos())) {
			names = append(names, varName(g.Object()))
		}
	}
	slices.Sort(names)
	return names
}

// varName is the name of a variable of a package.
func varName(v types.Object) string { return v.Pkg().Path() + "." + v.Name() }

// RunBeside hands on what is kept, in a package that has nothing to do with a cluster itself, and reports it where that is a program.
func RunBeside(pass *analysis.Pass) { (&tombstones{pass: pass}).together() }

// together hands on what is kept, and reports that of which a program has a watch that may miss something. Of a library nobody knows who watches.
func (t *tombstones) together() {
	below := link.Gather[Filters](t.pass)
	asked := map[string]bool{}
	for _, b := range below {
		for _, k := range b.Kept {
			for _, m := range k.Makers {
				asked[m] = true
			}
		}
	}
	if len(asked) > 0 {
		if t.pkg == nil {
			t.pkg = program.Of(t.pass)
		}
		t.uses(asked)
	}
	if len(t.filters.Kept)+len(t.filters.Uses) > 0 || rule.Active.DirectFacts && len(below) > 0 {
		link.HandOn(t.pass, &t.filters, below)
	}
	if !link.Program(t.pass) {
		return
	}
	uses := map[string][]FilterUse{}
	for _, b := range append(below, &t.filters) {
		for _, u := range b.Uses {
			uses[u.Of] = append(uses[u.Of], u)
		}
	}
	dirs := link.DirsOf(below)
	for _, b := range below {
		for _, k := range b.Kept {
			if link.Judges(t.pass, b.Path) && k.missed(uses, t.pass) {
				k.Report(t.pass, dirs)
			}
		}
	}
}

// missed reports whether one of the uses misses what k drops.
func (k *keptFilter) missed(uses map[string][]FilterUse, pass *analysis.Pass) bool {
	used := false
	for _, m := range k.Makers {
		used = used || len(uses[m]) > 0
		if slices.ContainsFunc(uses[m], func(u FilterUse) bool { return !u.Needless }) {
			return true
		}
	}
	return !used && pass.Pkg.Path() == link.Libraries
}

// uses notes what the package does with the predicates that are asked for.
func (t *tombstones) uses(asked map[string]bool) {
	watched, misses := map[string]bool{}, map[string]bool{}
	for _, c := range controllers.Controllers(t.pkg) {
		for _, w := range c.Watches {
			given := w.Predicates
			if !w.Raw {
				given = slices.Concat(given, c.Filters)
			}
			for _, p := range given {
				if p.Value == nil {
					continue
				}
				for q := range controllers.PredicateOf(t.pkg, p.Value, p.At).All {
					if name := farName(q); asked[name] {
						watched[name] = true
						misses[name] = misses[name] || !t.leavesGoneOf(c, w) && !t.comesBack(c)
					}
				}
			}
		}
	}
	for name := range t.mentioned(asked) {
		t.filters.Uses = append(t.filters.Uses, FilterUse{name, watched[name] && !misses[name]})
	}
	slices.SortFunc(t.filters.Uses, func(a, b FilterUse) int { return strings.Compare(a.Of, b.Of) })
}

// farName is the name by which the package has p of another one, empty where p is not of another one.
func farName(p *controllers.Pred) string {
	switch {
	case p.Var != nil:
		return varName(p.Var)
	case p.Far != nil:
		return p.Far.FullName()
	}
	return ""
}

// mentioned are those of asked that the package has something to do with: it names the function or the variable, or makes an interface of a value of the type.
func (t *tombstones) mentioned(asked map[string]bool) map[string]bool {
	found := map[string]bool{}
	note := func(name string) {
		if asked[name] {
			found[name] = true
		}
	}
	for _, fn := range t.pkg.All() {
		for in := range flow.Instrs(fn) {
			if made, ok := in.(*ssa.MakeInterface); ok {
				if obj, _, _ := types.LookupFieldOrMethod(made.X.Type(), true, t.pass.Pkg, "Update"); obj != nil {
					if method, ok := obj.(*types.Func); ok {
						note(method.FullName())
					}
				}
			}
			for _, op := range in.Operands(nil) {
				switch v := (*op).(type) {
				case *ssa.Function:
					if obj := flow.Object(v); obj != nil {
						note(obj.FullName())
					}
				case *ssa.Global:
					if v.Object() != nil {
						note(varName(v.Object()))
					}
				}
			}
		}
	}
	return found
}
