package expectttl

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// Known is the part of a package in its summary: functions and stores that it does not name are none of these.
type Known struct {
	Analysed bool       // always
	Requests []Requests // sorted by function
	Timeless []string   // the stores, or interfaces of such, that keep no time, sorted: what is not taken back stays forever
}

// Requests are those that a function leads to and that an expectation may be about, by what it calls them.
type Requests struct {
	Func  string
	Verbs []string
}

// String is for tests and -debug.
func (k *Known) String() string {
	return fmt.Sprintf("requests: %v, timeless: %v", k.Requests, k.Timeless)
}

// verbs returns the requests that fn leads to.
func (k *Known) verbs(fn *types.Func) []string {
	i, ok := slices.BinarySearchFunc(k.Requests, fn.Origin().FullName(), func(r Requests, name string) int { return strings.Compare(r.Func, name) })
	if !ok {
		return nil
	}
	return k.Requests[i].Verbs
}

// known returns the part of p, another package; nil if it has none.
func known(pass *analysis.Pass, p *types.Package) *Known {
	s := new(link.Summary[Known])
	if p == nil || p == pass.Pkg || !pass.ImportPackageFact(p, s) {
		return nil
	}
	return &s.Part
}

// expected are the verbs of requests by what an expectation calls them, and words begin the names of functions
// unknown ones that make such.
var expected = map[string]struct {
	verbs []kubeapi.Verb
	words []string
}{
	"create": {[]kubeapi.Verb{kubeapi.VerbCreate}, []string{"create"}},
	"delete": {[]kubeapi.Verb{kubeapi.VerbDelete, kubeapi.VerbDeleteCollection}, []string{"delete", "evict"}},
	"update": {[]kubeapi.Verb{kubeapi.VerbUpdate, kubeapi.VerbPatch}, []string{"update", "patch", "apply"}},
}

// requestsTold returns what the functions of the package lead to, for other packages.
func requestsTold(pass *analysis.Pass, g func() *callGraph) []Requests {
	if !mayRequest(pass) {
		return nil
	}
	told := map[string][]string{}
	for fn, verbs := range g().requests() {
		if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() == pass.Pkg && flow.ErrorResult(fn.Signature) >= 0 {
			name := obj.FullName()
			told[name] = append(told[name], verbs...) // the instances of a generic function have one name
		}
	}
	var out []Requests
	for _, name := range slices.Sorted(maps.Keys(told)) {
		slices.Sort(told[name])
		out = append(out, Requests{name, slices.Compact(told[name])})
	}
	return out
}

// mayRequest returns the cheap test: the package uses something that returns an error, and is named as a write or
// known to lead to one.
func mayRequest(pass *analysis.Pass) bool {
	for _, obj := range pass.TypesInfo.Uses {
		fn, ok := obj.(*types.Func)
		if !ok || flow.ErrorResult(fn.Signature()) < 0 {
			continue
		}
		if kubeapi.VerbOf(fn.Name()).Writes() || len(byName(fn)) > 0 {
			return true
		}
		if k := known(pass, fn.Pkg()); k != nil && len(k.verbs(fn)) > 0 {
			return true
		}
	}
	return false
}

// requests returns what the functions of the package lead to, none for those that lead to nothing.
func (g *callGraph) requests() map[*ssa.Function][]string {
	if g.leads != nil {
		return g.leads
	}
	const edges = program.Calls | program.Spawns | program.Mentions | program.Implementations
	g.leads = map[*ssa.Function][]string{}
	for _, component := range g.pkg.BottomUp(edges) {
		var all []string
		for _, fn := range component {
			for c := range flow.Calls(fn) {
				if call, ok := c.(*ssa.Call); ok {
					all = append(all, g.requestsOf(call)...)
				}
			}
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

// requestsOf returns those of a call that returns an error, of a function that is not in this package: a request, or
// a function that leads to some, by its fact or, without one, by its name.
func (g *callGraph) requestsOf(call *ssa.Call) []string {
	fn := flow.Callee(&call.Call)
	if fn == nil || flow.ErrorResult(call.Call.Signature()) < 0 || g.pkg.Callee(&call.Call) != nil {
		return nil
	}
	if r, ok := kubeapi.RequestOf(&call.Call); ok {
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
	if k := known(g.pass, fn.Pkg()); k != nil && !call.Call.IsInvoke() {
		return k.verbs(fn)
	}
	return byName(fn)
}

// byName returns what fn leads to, going by its first word.
func byName(fn *types.Func) []string {
	first := words.First(fn.Name())
	for what, is := range expected {
		if slices.Contains(is.words, first) {
			return []string{what}
		}
	}
	return nil
}
