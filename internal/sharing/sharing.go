// Package sharing follows memory that is not the function's own: of objects that caches of the cluster give out, and of what
// parameters lead to. It says where such memory is written to, over functions and packages, and which functions pass it on.
//
// It goes forward, from each place where memory comes from: a value is at it, so that a write through the value is one there, or holds
// references to it (a list, the copy of a struct, a struct that it was put into). Functions are summarised bottom-up, those of a cycle to a
// fixpoint; the summaries are facts. The technique is that of escape and mod/ref summaries (Ryder et al., "A schema for
// interprocedural modification side-effect analysis with pointer aliasing", 2001), with access paths of two parts: before and after
// the first reference.
package sharing

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// Analyzer summarises the functions of a package. Its result is a *Sharing, nil for packages that have nothing to do
// with a cluster.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintsharing",
	Doc:        "compute who writes to memory that others have",
	Run:        rule.Wrap("ctrllintsharing", (*Sharing)(nil), run),
	Requires:   []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	ResultType: reflect.TypeFor[*Sharing](),
	FactTypes:  []analysis.Fact{new(Shares)},
}

// Sharing is the result for one package, for rules to query.
type Sharing struct {
	pass    *analysis.Pass
	p       *program.Program
	calls   *paths.Calls
	sums    map[*ssa.Function]*Shares
	cached  map[types.Type]bool // what mayBeCached has found
	stores  map[ssa.Value][]*ssa.Store
	exist   map[*ssa.Function][]existTest // see existTests
	reached map[ssa.Instruction]bool      // see reachable
	own     map[*types.Var]bool           // fields with stores that the package fills itself; nil until they are asked for
}

func run(pass *analysis.Pass) (any, error) {
	if !kubeapi.Imports(pass.Pkg, kubeapi.OfKubernetes) {
		return (*Sharing)(nil), nil
	}
	return analyse(pass), nil
}

func analyse(pass *analysis.Pass) *Sharing {
	p := program.Of(pass)
	a := &Sharing{
		pass: pass, p: p, calls: paths.NewCalls(p), sums: map[*ssa.Function]*Shares{}, cached: map[types.Type]bool{},
		stores: map[ssa.Value][]*ssa.Store{},
	}
	a.summarise()
	a.export()
	return a
}

// Effects returns the writes to what r reads, in the order of the source: those that control can reach with the
// object in hand, and where the variable on the way has not been given another value meanwhile.
func (a *Sharing) Effects(r Read) []Effect {
	var out []Effect
	a.trace(r.At.Parent(), r.Value, r.sh, func(e Effect) {
		if e.Deed.writes() && (e.sh.object || !r.Untyped) && (!e.sh.content || r.mayBeUnstructured()) && a.remains(r.At, e) && a.feasible(r, e) {
			out = append(out, e)
		}
	})
	slices.SortStableFunc(out, func(x, y Effect) int {
		return cmp.Or(cmp.Compare(flow.Pos(x.In), flow.Pos(y.In)), cmp.Compare(x.sh.via, y.sh.via))
	})
	return out
}
