package expectttl

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// Requests is the fact that a function leads to requests that an expectation may be about, by what it calls them.
type Requests struct{ Verbs []string }

// AFact makes Requests a fact.
func (*Requests) AFact() {}

// String is for tests and -debug.
func (r *Requests) String() string { return "requests: " + strings.Join(r.Verbs, ", ") }

// Seen is the fact of a package that its functions which lead to requests have their facts, and the others lead to none; and of which
// types of stores it, or a package that it imports, drops expectations.
type Seen struct {
	Drops []string // with the path of the package; anyStore for a type without a name
}

const anyStore = "any"

// AFact makes Seen a fact.
func (*Seen) AFact() {}

// String is for tests and -debug.
func (s *Seen) String() string {
	return strings.TrimSpace("requests are known " + strings.Join(s.Drops, ", "))
}

// expected are the verbs of requests by what an expectation calls them, and words begin the names of functions out of sight that make
// such.
var expected = map[string]struct {
	verbs []kube.Verb
	words []string
}{
	"create": {[]kube.Verb{kube.VerbCreate}, []string{"create"}},
	"delete": {[]kube.Verb{kube.VerbDelete, kube.VerbDeleteCollection}, []string{"delete", "evict"}},
	"update": {[]kube.Verb{kube.VerbUpdate, kube.VerbPatch}, []string{"update", "patch", "apply"}},
}

// tellSeen exports the fact of the package.
func tellSeen(pass *analysis.Pass, g func() *callGraph) {
	seen := new(Seen)
	for _, i := range pass.Pkg.Imports() {
		var below Seen
		if pass.ImportPackageFact(i, &below) {
			seen.Drops = append(seen.Drops, below.Drops...)
		}
	}
	if uses(pass) {
		g().eachCall(func(c ssa.CallInstruction) {
			if recv, r := storeCall(c.Common()); r == drops && !g().ofStore(c.Parent()) {
				seen.Drops = append(seen.Drops, storeName(recv.Type()))
			}
		})
	}
	slices.Sort(seen.Drops)
	seen.Drops = slices.Compact(seen.Drops)
	pass.ExportPackageFact(seen)
}

// storeName is what all packages call the type t of a store.
func storeName(t types.Type) string {
	if n := kube.Named(t); n != nil && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return anyStore
}

// mayDrop reports whether code of package p, which is handed a store of type t, may drop what that expects.
func (g *callGraph) mayDrop(p *types.Package, t types.Type) bool {
	var seen Seen
	if p == nil || !g.pass.ImportPackageFact(p, &seen) {
		return true
	}
	return slices.ContainsFunc(seen.Drops, func(name string) bool {
		if name == anyStore || name == storeName(t) {
			return true
		}
		is := typeNamed(p, name)
		if is == nil {
			return true
		}
		i, ok := is.Underlying().(*types.Interface)
		return ok && (types.Implements(t, i) || types.Implements(types.NewPointer(t), i)) // what is behind one may be behind the other
	})
}

// typeNamed is the type of that name, with the path of its package, in p or a package below it; nil where there is none.
func typeNamed(p *types.Package, name string) types.Type {
	dot := strings.LastIndexByte(name, '.')
	seen := map[*types.Package]bool{}
	var find func(p *types.Package) types.Type
	find = func(p *types.Package) types.Type {
		if seen[p] {
			return nil
		}
		seen[p] = true
		if p.Path() == name[:dot] {
			if obj := p.Scope().Lookup(name[dot+1:]); obj != nil {
				return obj.Type()
			}
			return nil
		}
		for _, i := range p.Imports() {
			if t := find(i); t != nil {
				return t
			}
		}
		return nil
	}
	return find(p)
}

// tellRequests exports what the functions of the package lead to.
func tellRequests(pass *analysis.Pass, g func() *callGraph) {
	if !mayRequest(pass) {
		return
	}
	for fn, verbs := range g().requests() {
		obj, ok := fn.Object().(*types.Func)
		if ok && obj.Pkg() == pass.Pkg && flow.ErrorResult(fn.Signature) >= 0 {
			pass.ExportObjectFact(obj, &Requests{verbs})
		}
	}
}

// mayRequest is the cheap test: the package uses something that gives an error, and is named as a write or has the fact of one.
func mayRequest(pass *analysis.Pass) bool {
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && flow.ErrorResult(fn.Signature()) >= 0 && (kube.VerbOf(fn.Name()).Writes() || pass.ImportObjectFact(fn, new(Requests)) || len(byName(fn)) > 0) {
			return true
		}
	}
	return false
}

// requests are what the functions of the package lead to, none for those that lead to nothing.
func (g *callGraph) requests() map[*ssa.Function][]string {
	if g.leads != nil {
		return g.leads
	}
	const edges = program.Calls | program.Spawns | program.Mentions | program.Implementations
	g.leads = map[*ssa.Function][]string{}
	for _, component := range g.pkg.BottomUp(edges) {
		var all []string
		for _, fn := range component {
			flow.Calls(fn, func(c ssa.CallInstruction) {
				if call, ok := c.(*ssa.Call); ok {
					all = append(all, g.requestsOf(call)...)
				}
			})
			for _, next := range g.pkg.Next(edges, fn) {
				all = append(all, g.leads[next]...)
			}
		}
		slices.Sort(all)
		if all = slices.Compact(all); len(all) > 0 {
			for _, fn := range component {
				g.leads[fn] = all
			}
		}
	}
	return g.leads
}

// requestsOf are those of a call that gives an error, of a function that is not in this package: a request, or a function that leads
// to some, by its fact or, out of sight, by its name.
func (g *callGraph) requestsOf(call *ssa.Call) []string {
	fn := flow.Callee(&call.Call)
	if fn == nil || flow.ErrorResult(call.Call.Signature()) < 0 || g.pkg.Callee(&call.Call) != nil {
		return nil
	}
	if r, ok := kube.RequestOf(&call.Call); ok {
		for what, is := range expected {
			if slices.Contains(is.verbs, r.Verb) {
				return []string{what}
			}
		}
		return nil
	}
	if recv := flow.Recv(&call.Call); recv != nil && isStore(recv.Type()) {
		return nil
	}
	var fact Requests
	if g.pass.ImportObjectFact(fn.Origin(), &fact) {
		return fact.Verbs
	}
	if !call.Call.IsInvoke() && fn.Pkg() != nil && fn.Pkg() != g.pkg.Pkg && g.pass.ImportPackageFact(fn.Pkg(), new(Seen)) {
		return nil
	}
	return byName(fn)
}

// byName is what fn leads to, going by its first word.
func byName(fn *types.Func) []string {
	first := words.First(fn.Name())
	for what, is := range expected {
		if slices.Contains(is.words, first) {
			return []string{what}
		}
	}
	return nil
}
