package tombstone

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether somebody misses the deletions that a predicate drops is for those to say who watch with it. Where a function makes one for other packages, and nothing else has it, these are
// in sight where programs are put together: till then the finding is kept.

// Filters is the fact of a package: the findings in predicates that its functions make for others, and what it does with those of packages below.
type Filters struct {
	link.Unit[Filters]
	Kept []keptFilter
	Uses []FilterUse
}

// A keptFilter is a finding in the predicate that the function of that name makes.
type keptFilter struct {
	Maker string
	link.Kept
}

// A FilterUse says that a package has a predicate made by the function Of, and whether it gives it to nobody but watches that miss nothing by it.
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

// keep puts off the finding in fn, a part of a predicate, where that is made for other packages alone, until a program says who watches with it. It reports whether one will.
func (t *tombstones) keep(fn *ssa.Function, f rule.Finding) bool {
	if !rule.Active.Programs || rule.IsDependency(t.pass) || t.pass.Pkg.Name() == "main" {
		return false
	}
	maker := t.makerOf(fn)
	if maker == "" {
		return false
	}
	if k, ok := link.Keep(t.pass, f); ok {
		t.filters.Kept = append(t.filters.Kept, keptFilter{maker, k})
	}
	return true
}

// makerOf is the name of the function that makes the predicate of which fn, a literal in it, is a part; empty where the package itself does anything with that function.
func (t *tombstones) makerOf(fn *ssa.Function) string {
	maker := fn.Parent()
	if maker == nil || maker.Parent() != nil || maker.Signature.Recv() != nil || maker.Signature.TypeParams().Len() > 0 {
		return ""
	}
	obj := flow.Object(maker)
	if obj == nil || !obj.Exported() {
		return ""
	}
	made := kubeapi.PredicateFrom(t.pkg, maker)
	if made == nil || !has(made, fn) {
		return ""
	}
	for _, other := range t.pkg.All() {
		if slices.Contains(t.pkg.Next(program.Calls|program.Spawns|program.Mentions, other), maker) {
			return ""
		}
	}
	return obj.FullName()
}

// has reports whether fn is a function of p, or of a predicate that p is made of.
func has(p *kubeapi.Predicate, fn *ssa.Function) bool {
	for q := range p.All {
		for _, part := range q.Fns {
			if part == fn {
				return true
			}
		}
	}
	return false
}

// RunBeside hands on what is kept, in a package that has nothing to do with a cluster itself, and reports it where that is a program.
func RunBeside(pass *analysis.Pass) { newTombstones(pass, nil).together() }

// together hands on what is kept, and reports that of which a program has a watch that may miss something. Of a library nobody knows who watches.
func (t *tombstones) together() {
	below := link.Gather[Filters](t.pass)
	asked := map[string]bool{}
	for _, b := range below {
		for _, k := range b.Kept {
			asked[k.Maker] = true
		}
	}
	if len(asked) > 0 {
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
	library := t.pass.Pkg.Path() == link.Libraries
	dirs := link.DirsOf(below)
	for _, b := range below {
		for _, k := range b.Kept {
			if !link.Judges(t.pass, b.Path) {
				continue
			}
			of := uses[k.Maker]
			if library && len(of) == 0 || slices.ContainsFunc(of, func(u FilterUse) bool { return !u.Needless }) {
				k.Report(t.pass, dirs)
			}
		}
	}
}

// uses notes what the package does with the functions that are asked for: whether each mention of one is a call that gives its predicate to a watch that misses nothing by it, and to nobody else.
func (t *tombstones) uses(asked map[string]bool) {
	if t.pkg == nil {
		t.pkg = program.Of(t.pass)
	}
	mentions := map[string][]ssa.Instruction{}
	for _, fn := range t.pkg.All() {
		for in := range flow.Instrs(fn) {
			for _, op := range in.Operands(nil) {
				if named, ok := (*op).(*ssa.Function); ok && flow.Object(named) != nil && asked[flow.Object(named).FullName()] {
					name := flow.Object(named).FullName()
					mentions[name] = append(mentions[name], in)
				}
			}
		}
	}
	if len(mentions) == 0 {
		return
	}
	needless := t.needlessCalls(asked)
	for name, all := range mentions {
		missed := slices.ContainsFunc(all, func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			return !ok || !needless[call.Pos()] || len(*call.Referrers()) != 1
		})
		t.filters.Uses = append(t.filters.Uses, FilterUse{name, !missed})
	}
	slices.SortFunc(t.filters.Uses, func(a, b FilterUse) int { return strings.Compare(a.Of, b.Of) })
}

// needlessCalls are the places of the calls of functions that are asked for, of which watches have the predicates, where none of these watches misses anything.
func (t *tombstones) needlessCalls(asked map[string]bool) map[token.Pos]bool {
	out := map[token.Pos]bool{}
	for _, c := range kubeapi.Controllers(t.pkg) {
		for _, w := range c.Watches {
			given := w.Predicates
			if !w.Raw {
				given = slices.Concat(given, c.Filters)
			}
			for _, p := range given {
				if p.Value == nil {
					continue
				}
				for q := range kubeapi.PredicateOf(t.pkg, p.Value, p.At).All {
					if maker, ok := q.Far.(*types.Func); !ok || !asked[maker.FullName()] {
						continue
					}
					before, seen := out[q.Pos]
					out[q.Pos] = (before || !seen) && t.missesNothing(c, w)
				}
			}
		}
	}
	return out
}

// missesNothing reports whether nobody misses what w does not hear of, of an object that is gone: the reconciler of c does nothing about it, or comes back by itself.
func (t *tombstones) missesNothing(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	return t.leavesGoneOf(c, w) || t.comesBack(c, w)
}
