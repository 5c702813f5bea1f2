// Package siblings finds update filters that read some fields of a type and not another one of the same type.
//
// A filter is a function or literal that gets the old and the new object. It is reported if it treats at least two, and
// most, of the fields of one struct and type alike (each is compared, or is the argument of the same function) and reads
// the others nowhere, nor do the functions of the package that it calls or that call it; and if a function outside of
// filters reads such a field next to its siblings, or the struct has no other fields, so that they are meant to be treated
// alike. It approximates: a struct that is passed on, compared or returned as a whole counts as read; functions whose name
// says that they copy, convert, default or validate say nothing about which fields are used.
package siblings

import (
	"cmp"
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
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// Run reports update filters that treat some fields of one struct and type alike and do not read another one.
func Run(pass *analysis.Pass) {
	pkg := program.Of(pass)
	if !slices.ContainsFunc(pkg.All(), func(fn *ssa.Function) bool { return kubeapi.IsUpdateFilter(fn.Signature) }) {
		return
	}
	byFunction := map[*ssa.Function]*summary{}
	var summaries []*summary
	for _, fn := range pkg.All() {
		if filter := kubeapi.IsUpdateFilter(fn.Signature); filter || fn.Parent() == nil {
			u := scan(pkg, fn, filter)
			summaries, byFunction[fn] = append(summaries, u), u
		}
	}
	regions := map[*summary]map[*summary]bool{}
	filtering := map[*summary]bool{} // part of some filter
	for _, u := range summaries {
		if u.filter {
			regions[u] = map[*summary]bool{}
			reach(u, byFunction, regions[u])
			for v := range regions[u] {
				filtering[v] = true
			}
		}
	}
	for _, u := range summaries {
		if u.filter && rule.Wanted(pass, u.fn.Pos()) {
			for _, g := range u.groups() {
				g.check(pass, u, summaries, regions, filtering)
			}
		}
	}
}

// reach adds u and what it calls to seen.
func reach(u *summary, byFunction map[*ssa.Function]*summary, seen map[*summary]bool) {
	if u == nil || seen[u] {
		return
	}
	seen[u] = true
	for _, fn := range u.calls {
		reach(byFunction[fn], byFunction, seen)
	}
}

// A group is the fields of one struct that share one type, as a filter reads them.
type group struct {
	owner   *types.TypeName
	typ     types.Type
	read    []*types.Var
	missing []*types.Var
	all     bool // the struct has no other fields
}

// groups are the candidates of u: structs of which u reads most, at least two, of the fields of a type, in one and the
// same way.
func (u *summary) groups() []group {
	owners := map[*types.TypeName]bool{}
	var order []*types.TypeName
	for _, r := range u.reads {
		if !owners[r.owner] {
			owners[r.owner] = true
			order = append(order, r.owner)
		}
	}
	slices.SortFunc(order, func(a, b *types.TypeName) int {
		return cmp.Or(cmp.Compare(a.Pkg().Path(), b.Pkg().Path()), cmp.Compare(a.Name(), b.Name()))
	})
	var groups []group
	for _, owner := range order {
		st, ok := owner.Type().Underlying().(*types.Struct)
		if !ok || u.usedWhole[owner] {
			continue
		}
		done := map[int]bool{}
		for i := range st.NumFields() {
			if done[i] || !meaningful(st.Field(i), owner) {
				continue
			}
			g := group{owner: owner, typ: st.Field(i).Type(), all: true}
			for j := range st.NumFields() {
				f := st.Field(j)
				switch {
				case !types.Identical(f.Type(), g.typ):
					g.all = false
				case u.reads[f] != nil:
					done[j] = true
					g.read = append(g.read, f)
				default:
					done[j] = true
					g.missing = append(g.missing, f)
				}
			}
			if len(g.read) >= 2 && len(g.missing) > 0 && len(g.missing) < len(g.read) && u.shareUse(g.read) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// meaningful reports whether the type of f is a struct of the package of its owner. That two fields are of the same type of
// a library, such as metav1.Time, says nothing.
func meaningful(f *types.Var, owner *types.TypeName) bool {
	n := kubeapi.Named(f.Type())
	if n == nil || n.Obj().Pkg() != owner.Pkg() || f.Embedded() {
		return false
	}
	_, ok := n.Underlying().(*types.Struct)
	return ok
}

// shareUse reports whether u does the same with each of the fields.
func (u *summary) shareUse(fields []*types.Var) bool {
	for how := range u.reads[fields[0]].how {
		everywhere := true
		for _, f := range fields[1:] {
			everywhere = everywhere && u.reads[f].how[how]
		}
		if everywhere {
			return true
		}
	}
	return false
}

// check reports the filter u if the fields that g misses are read nowhere in it, and are known to be used.
func (g group) check(pass *analysis.Pass, u *summary, summaries []*summary, regions map[*summary]map[*summary]bool, filtering map[*summary]bool) {
	for v := range regions[u] {
		if v.usedWhole[g.owner] {
			return
		}
		for _, t := range v.passed {
			if contains(t, g.owner, map[types.Type]bool{}) {
				return
			}
		}
	}
	// A filter that calls this one may read the missing field itself.
	for _, r := range regions {
		if !r[u] {
			continue
		}
		for v := range r {
			if v.usedWhole[g.owner] {
				return
			}
			for _, f := range g.missing {
				if v.reads[f] != nil {
					return
				}
			}
		}
	}
	var outside *use
	var reader *summary
	for _, v := range summaries {
		if filtering[v] || v.copiesOrChecks(g) || generatedOrTest(pass, v.fn.Pos()) {
			continue
		}
		sibling := false
		for _, f := range g.read {
			sibling = sibling || v.reads[f] != nil
		}
		for _, f := range g.missing {
			if r := v.reads[f]; sibling && r != nil && outside == nil {
				outside, reader = r, v
			}
		}
	}
	// The reader may be in a package that imports this one. Then the struct has to show that its fields are meant to be
	// treated alike: it has no others.
	if outside == nil && !g.all {
		return
	}
	owner := g.owner.Name()
	f := rule.Finding{Pos: u.fn.Pos(), Sub: "siblings", Site: "unread-sibling"}
	f.Message = fmt.Sprintf("%s checks %s but not %s: changes that concern only %s are dropped; check %s as well",
		name(u.fn), list(owner+".", g.read), list(owner+".", g.missing), list("", g.missing), list("", g.missing))
	if outside != nil {
		f.Message += fmt.Sprintf(", since %s reads it (line %d)", name(reader.fn), rule.Line(pass, outside.pos))
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: outside.pos, Message: name(reader.fn) + " reads it here"})
	}
	for _, r := range g.read {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: u.reads[r].pos, Message: owner + "." + r.Name() + " is read here"})
	}
	rule.Report(pass, f)
}

// name is what a message calls fn.
func name(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "this update predicate"
	}
	return flow.FuncName(fn)
}

// generatedOrTest reports whether pos is in a generated file or a test.
func generatedOrTest(pass *analysis.Pass, pos token.Pos) bool {
	f := rule.FileAt(pass, pos)
	return f == nil || ast.IsGenerated(f) || strings.HasSuffix(pass.Fset.File(pos).Name(), "_test.go")
}

// copiesOrChecks reports whether u, by its receiver or name, copies, converts, defaults, validates or compares the struct of
// g: its reads do not show that the field is acted on.
func (u *summary) copiesOrChecks(g group) bool {
	if recv := u.fn.Signature.Recv(); recv != nil {
		n := kubeapi.Named(recv.Type())
		if n != nil && (n.Obj() == g.owner || n == kubeapi.Named(g.typ)) {
			return true
		}
	}
	return words.Has(u.fn.Name(), "copy", "convert", "conversion", "default", "defaults", "defaulting", "valid", "validate", "validates", "validation", "equal", "equals")
}

func list(prefix string, fields []*types.Var) string {
	var names []string
	for _, f := range fields {
		names = append(names, prefix+f.Name())
	}
	if len(names) < 2 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// contains reports whether a value of type t holds one of owner.
func contains(t types.Type, owner *types.TypeName, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch x := t.(type) {
	case *types.Named:
		return x.Obj() == owner || contains(x.Underlying(), owner, seen)
	case *types.Pointer:
		return contains(x.Elem(), owner, seen)
	case *types.Slice:
		return contains(x.Elem(), owner, seen)
	case *types.Array:
		return contains(x.Elem(), owner, seen)
	case *types.Map:
		return contains(x.Elem(), owner, seen)
	case *types.Struct:
		for i := range x.NumFields() {
			if contains(x.Field(i).Type(), owner, seen) {
				return true
			}
		}
	}
	return false
}
