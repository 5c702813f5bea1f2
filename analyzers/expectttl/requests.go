package expectttl

import (
	"go/types"
	"maps"
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

// Seen is the fact of a package that its functions which lead to requests have their facts, and the others lead to none; and of what
// it does with stores.
type Seen struct {
	Drops []string // the names of the methods of any type by which it may drop expectations; anyMethod where it may have others call them
}

const anyMethod = "any"

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
	names := map[string]bool{}
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil && roleOf(fn) == drops {
			names[fn.Name()] = true
		}
	}
	if usesStores(pass) && g().givesAway() {
		names[anyMethod] = true
	}
	pass.ExportPackageFact(&Seen{slices.Sorted(maps.Keys(names))})
}

// usesStores reports whether the package has a value of the type of a store.
func usesStores(pass *analysis.Pass) bool {
	checked := map[*types.Named]bool{} // a look at all methods of a type takes as long as there are methods
	for _, obj := range pass.TypesInfo.Defs {
		v, ok := obj.(*types.Var)
		if !ok {
			continue
		}
		n := kube.Named(v.Type())
		if n == nil || checked[n] {
			continue
		}
		checked[n] = true
		if isStore(v.Type()) {
			return true
		}
	}
	return false
}

// givesAway reports whether others may get a store that the package is handed: it is kept where they can name it, returned, or passed
// on. A store that is kept in an unexported field is not.
func (g *callGraph) givesAway() bool {
	away := func(v ssa.Value) bool { return isStore(flow.Unwrap(v).Type()) }
	for _, fn := range g.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.Store:
				switch addr := in.Addr.(type) {
				case *ssa.Alloc:
				case *ssa.FieldAddr:
					if f := flow.Field(addr.X.Type(), addr.Field); away(in.Val) && f.Exported() {
						return true
					}
				default:
					if away(in.Val) {
						return true
					}
				}
			case *ssa.MapUpdate:
				if away(in.Value) {
					return true
				}
			case *ssa.Send:
				if away(in.X) {
					return true
				}
			case *ssa.Return:
				if slices.ContainsFunc(in.Results, away) {
					return true
				}
			case ssa.CallInstruction:
				if g.pkg.Callee(in.Common()) == nil && slices.ContainsFunc(flow.Args(in.Common()), away) {
					return true
				}
			}
		}
	}
	return false
}

// mayDrop reports whether code of package p, which is handed a store of type t, may drop what that expects, or let others.
func (g *callGraph) mayDrop(p *types.Package, t types.Type) bool {
	var seen Seen
	if p == nil || !g.pass.ImportPackageFact(p, &seen) || slices.Contains(seen.Drops, anyMethod) {
		return true
	}
	if _, ptr := types.Unalias(t).(*types.Pointer); !ptr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		if slices.Contains(seen.Drops, methods.At(i).Obj().Name()) {
			return true
		}
	}
	return false
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
