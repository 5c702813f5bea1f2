package expectttl

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer reports expectations that are waited for with no way out.
var Analyzer = &analysis.Analyzer{
	Name:     "expectttl",
	Doc:      rule.MustExtractDoc(doc, "expectttl"),
	URL:      rule.URLBase + "expectttl.md",
	Flags:    flags(),
	Requires: []*analysis.Analyzer{ssapkg.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("expectttl", nil, run),
}

func run(pass *analysis.Pass) (any, error) {
	if !asks(pass) {
		return nil, nil
	}
	pkg := ssapkg.Of(pass)
	g := newCallGraph(pkg)
	for _, fn := range pkg.Funcs {
		if outcomeOf(fn) == other {
			continue // nothing waits: the answer is a hint, or somebody else acts on it
		}
		flow.Calls(fn, func(c ssa.CallInstruction) {
			call, ok := c.(*ssa.Call)
			if !ok {
				return
			}
			if q, ok := asQuery(call); ok && (q.timed || g.keepsNoTime(q)) {
				checkQuery(pass, g, q)
			}
		})
	}
	return nil, nil
}

// asks reports whether the package calls an expectation query at all.
func asks(pass *analysis.Pass) bool {
	for _, sel := range pass.TypesInfo.Selections {
		if fn, ok := sel.Obj().(*types.Func); ok && isQuery(fn) && isStore(sel.Recv()) {
			return true
		}
	}
	return false
}

// checkQuery reports the returns that the query's false answer leads to and that leave nothing to end the wait.
func checkQuery(pass *analysis.Pass, g *callGraph, q query) {
	reported := map[*ssa.Return]bool{}
	for _, entry := range falseEntries(q) {
		if g.releases(q, entry) {
			continue
		}
		for _, b := range entry.Parent().Blocks {
			if !entry.Dominates(b) {
				continue
			}
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || reported[ret] || !givesUp(ret) || !explained(q, entry, b) || g.wakes(q, ret) || !g.decides(ret.Parent(), 0) {
				continue
			}
			reported[ret] = true
			report(pass, q, ret)
		}
	}
}

func report(pass *analysis.Pass, q query, ret *ssa.Return) {
	pos, end := ret.Pos(), token.NoPos
	if node := returnStmt(pass, pos); node != nil {
		end = node.End()
	}
	name := q.store.path.String()
	rule.Report(pass, rule.Finding{
		Pos: pos, End: end, Sub: "nowayout",
		Message: fmt.Sprintf("%s, unsatisfied at line %d (%s), is neither released nor requeued before this return: if the event that it waits for was lost, nothing reconciles the object again",
			name, rule.Line(pass, q.call.Pos()), q.fn.Name()),
		Related: []analysis.RelatedInformation{{Pos: q.call.Pos(), Message: fmt.Sprintf("%s of %s came back false here", q.fn.Name(), name)}},
	})
}

func returnStmt(pass *analysis.Pass, pos token.Pos) (found ast.Node) {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			ast.Inspect(f, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok && r.Pos() == pos {
					found = r
				}
				return found == nil && (n == nil || n.Pos() <= pos && pos < n.End())
			})
		}
	}
	return found
}

// keepsNoTime reports whether the store's type is written in this package and none of its methods has to do with
// time. Only then is it sure that a query with a plain bool has no timeout of its own.
func (g *callGraph) keepsNoTime(q query) bool {
	named := kube.Named(flow.Recv(&q.call.Call).Type())
	if named == nil || types.IsInterface(named) || named.Obj().Pkg() != g.pkg.Pkg {
		return false
	}
	for _, fn := range g.pkg.Funcs {
		decl := flow.Decl(fn)
		if decl.Signature.Recv() == nil || kube.Named(decl.Signature.Recv().Type()) != named {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok {
					if callee := flow.StaticCallee(c.Common()); callee == nil || callee.Pkg == nil || !isPlain(callee) {
						if _, builtin := c.Common().Value.(*ssa.Builtin); !builtin {
							return false // a clock, a cache with expiry, or unknown
						}
					}
				}
				if v, ok := in.(ssa.Value); ok && (kube.IsType(v.Type(), "time", "Time") || kube.IsType(v.Type(), "time", "Duration")) {
					return false
				}
			}
		}
	}
	return true
}

// isPlain reports whether fn is of a package that cannot bring a timeout along.
func isPlain(fn *ssa.Function) bool {
	switch fn.Pkg.Pkg.Path() {
	case "sync", "sync/atomic", "fmt", "strings", "maps", "slices", "sort", "k8s.io/klog/v2", "k8s.io/apimachinery/pkg/util/sets":
		return true
	}
	return false
}
