package lock

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// Analyzer computes held sets and summaries for the rules. Its result is a *Result; its facts are the summaries of the
// package's functions, so that a wait three calls deep and two packages away is seen.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintlocks",
	Doc:        "compute held locks and ways to block",
	Run:        rule.Wrap("ctrllintlocks", &Result{}, run),
	Requires:   []*analysis.Analyzer{ssapkg.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(Fact)},
}

// Fact is the summary of a function or method.
type Fact struct{ Summary Summary }

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

// String lists what the function does, shortly.
func (f *Fact) String() string {
	var parts []string
	for _, a := range f.Summary.Acquired {
		parts = append(parts, "acquired("+a.Sel+")")
	}
	for _, a := range f.Summary.Released {
		parts = append(parts, "released("+a.Sel+")")
	}
	for _, b := range f.Summary.Blocks {
		parts = append(parts, "blocks("+b.What+")")
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

// Result is what the rules read.
type Result struct {
	Funcs   []*FuncResult
	Writers map[Class]string // classes that some function of the package locks for writing, and one place that does
	Widened int              // blocks whose states were merged because there were too many
}

type engine struct {
	pass *analysis.Pass
	prog *ssa.Program
	pkg  *ssapkg.Package

	results    map[*ssa.Function]*FuncResult
	summaries  map[*ssa.Function]*Summary
	inProgress map[*ssa.Function]bool
	cyclic     bool // a summary was wanted before it was there
	imported   map[*types.Func]*Summary
	peers      *peerIndex
	aliases    *aliases
	impls      map[*types.Func][]*ssa.Function
	calls      map[token.Pos]*ast.CallExpr // by opening parenthesis, which is an ssa call's position
	widened    int
}

func run(pass *analysis.Pass) (any, error) {
	if !interesting(pass) {
		return &Result{}, nil
	}
	pkg := ssapkg.Of(pass)
	e := &engine{
		pass: pass, prog: pkg.Prog, pkg: pkg,
		results:    map[*ssa.Function]*FuncResult{},
		summaries:  map[*ssa.Function]*Summary{},
		inProgress: map[*ssa.Function]bool{},
		imported:   map[*types.Func]*Summary{},
		impls:      map[*types.Func][]*ssa.Function{},
	}
	e.calls = map[token.Pos]*ast.CallExpr{}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				e.calls[c.Lparen] = c
			}
			return true
		})
	}
	e.peers = e.indexPeers()
	e.aliases = e.indexAliases()
	for _, fn := range pkg.Funcs {
		e.summary(fn)
	}
	if e.cyclic { // once more, now that members of cycles have something to say to each other
		before := e.summaries
		e.results = map[*ssa.Function]*FuncResult{}
		e.summaries = map[*ssa.Function]*Summary{}
		e.peers.previous = before
		for _, fn := range pkg.Funcs {
			e.summary(fn)
		}
	}
	e.resolvePeers()

	res := &Result{Writers: e.writers(), Widened: e.widened}
	for _, fn := range pkg.Funcs {
		if r := e.results[fn]; r != nil {
			res.Funcs = append(res.Funcs, r)
		}
		obj, ok := fn.Object().(*types.Func)
		if s := e.summaries[fn]; ok && !s.empty() && obj.Pkg() == pass.Pkg {
			pass.ExportObjectFact(obj, &Fact{exported(s)})
		}
	}
	return res, nil
}

// interesting is the cheap test: the package has something that locks or blocks, or imports a package that does.
func interesting(pass *analysis.Pass) bool {
	if kube.Imports(pass.Pkg, func(p string) bool { return p == "sync" || blocking.Known(p) }) {
		return true
	}
	for _, f := range pass.AllObjectFacts() {
		if _, ok := f.Fact.(*Fact); ok {
			return true
		}
	}
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt, *ast.SelectStmt:
				found = true
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
	}
	return found
}

func (e *engine) at(pos token.Pos) string { return at(e.pass.Fset, pos) }

// spelled is the function of the call at pos as the source has it, or what, where that is long or unknown.
func (e *engine) spelled(pos token.Pos, what string) string {
	if c := e.calls[pos]; c != nil {
		if s := types.ExprString(c.Fun); len(s) <= 60 && !strings.ContainsAny(s, "\n{(") {
			return s
		}
	}
	return what
}

// summary is the summary of fn, computed bottom-up; on a cycle of calls, what the round before knew.
func (e *engine) summary(fn *ssa.Function) *Summary {
	if s, ok := e.summaries[fn]; ok {
		return s
	}
	if fn.Pkg != e.pkg.Package || len(fn.Blocks) == 0 {
		return e.importedSummary(fn)
	}
	if e.inProgress[fn] {
		e.cyclic = true
		return e.peers.previous[fn]
	}
	e.inProgress[fn] = true
	defer delete(e.inProgress, fn)
	res, sum := &FuncResult{Fn: fn}, &Summary{}
	func() {
		defer func() {
			if r := recover(); r != nil {
				rule.Failure(e.pass, "lockheld", "function "+flow.FuncName(fn), r)
			}
		}()
		res, sum = e.interpret(fn)
	}()
	e.results[fn], e.summaries[fn] = res, sum
	return sum
}

func (e *engine) importedSummary(fn *ssa.Function) *Summary {
	obj := flow.Object(fn)
	if obj == nil {
		return nil
	}
	if s, ok := e.imported[obj]; ok {
		return s
	}
	var s *Summary
	var f Fact
	if obj.Pkg() != nil && obj.Pkg() != e.pass.Pkg && e.pass.ImportObjectFact(obj, &f) {
		s = &f.Summary
	}
	e.imported[obj] = s
	return s
}

// implementers are the methods of this package that an interface call can run, where the interface belongs to the
// package too and at most three of its types implement it.
func (e *engine) implementers(call *ssa.CallCommon) []*ssa.Function {
	if call.Method.Pkg() != e.pass.Pkg {
		return nil
	}
	if fns, ok := e.impls[call.Method]; ok {
		return fns
	}
	var fns []*ssa.Function
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if ok {
		scope := e.pass.Pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
				continue
			}
			ptr := types.NewPointer(tn.Type())
			if !types.Implements(ptr, iface) {
				continue
			}
			if obj, _, _ := types.LookupFieldOrMethod(ptr, true, e.pass.Pkg, call.Method.Name()); obj != nil {
				if m, ok := obj.(*types.Func); ok && m.Pkg() == e.pass.Pkg {
					if fn := e.prog.FuncValue(m); fn != nil && len(fn.Blocks) > 0 {
						fns = append(fns, fn)
						continue
					}
				}
			}
			fns = append(fns, nil)
		}
	}
	known := fns[:0:0]
	for _, fn := range fns {
		if fn != nil {
			known = append(known, fn)
		}
	}
	if len(fns) > 3 || len(known) != len(fns) {
		known = nil
	}
	e.impls[call.Method] = known
	return known
}

// exported is s as other packages may read it: without positions and without names that only this package can follow.
func exported(s *Summary) Summary {
	refs := func(in []Ref) (out []Ref) {
		for _, r := range in {
			if r.local == nil {
				out = append(out, r)
			}
		}
		return out
	}
	event := func(ev Event) Event {
		out := Event{At: ev.At, Dropped: refs(ev.Dropped)}
		for _, h := range ev.Chain {
			out.Chain = append(out.Chain, Hop{Func: h.Func, At: h.At})
		}
		return out
	}
	held := func(in []HeldRef) (out []HeldRef) {
		for _, r := range in {
			if r.local == nil {
				out = append(out, r)
			}
		}
		return out
	}
	out := Summary{Acquired: held(s.Acquired), Released: held(s.Released), May: refs(s.May)}
	for _, a := range s.Acquires {
		if a.Lock.local == nil {
			a.Event = event(a.Event)
			out.Acquires = append(out.Acquires, a)
		}
	}
	for _, b := range s.Blocks {
		if b.Bound.local == nil && b.Own.local == nil {
			b.Event = event(b.Event)
			out.Blocks = append(out.Blocks, b)
		}
	}
	for _, c := range s.Calls {
		c.Event, c.Held = event(c.Event), refs(c.Held)
		out.Calls = append(out.Calls, c)
	}
	return out
}

// writers are the lock classes that the package takes for writing.
func (e *engine) writers() map[Class]string {
	w := map[Class]string{}
	for _, fn := range e.pkg.Funcs {
		flow.Calls(fn, func(c ssa.CallInstruction) {
			if o, ok := opOf(c.Common()); ok && o.action != release && o.mode == Write && o.class != "" && w[o.class] == "" {
				w[o.class] = fmt.Sprintf("%s at %s", flow.FuncName(fn), e.at(c.Pos()))
			}
		})
	}
	return w
}
