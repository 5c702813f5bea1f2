package lock

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// Analyzer computes held sets and summaries for the rules. Its result is a *Result; its facts are the summaries of the
// package's functions, so that a wait three calls deep and two packages away is seen.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintlocks",
	Doc:        "compute held locks and ways to block",
	Run:        rule.Wrap("ctrllintlocks", &Result{}, link.Phase[PackageFact]{Summarize: summarize, Join: join}.Run),
	Requires:   []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(Fact), new(link.Summary[PackageFact])},
}

// Fact is the summary of a function or method.
type Fact struct {
	Summary Summary
	// of the literal that is the one function among its results, called with what the function was given and then with
	// its own arguments
	Literal Summary
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

// Result is what the rules read.
type Result struct {
	Funcs []*FuncResult
	// classes that some function of the package locks for writing, and one place that does
	Writers map[Class]Witness
	Takers  map[Class][]*ssa.Function // the functions of the package that take a lock
	Cycles  []Cycle                   // in the order in which locks are acquired
	// Uncontended maps the acquisitions that no other goroutine waits for to the functions that another package would
	// have to call to change that.
	Uncontended map[ssa.Instruction][]string
	Linked      []Linked  // what the program does that no package shows alone
	Dirs        link.Dirs // of the packages below
}

type engine struct {
	pass *analysis.Pass
	prog *ssa.Program
	pkg  *program.Program

	results    map[*ssa.Function]*FuncResult
	summaries  map[*ssa.Function]*Summary
	inProgress map[*ssa.Function]bool
	imported   program.Answers[*types.Func, *Fact]
	origins    *origin.Index
	table      blocking.Table
	peers      *peerIndex
	aliases    *aliases
	rooms      map[string]int             // see several
	heldAt     map[ssa.Instruction][]Hold // held on every path to an instruction through which a wait can end
	releasers  map[lockKey][]*ssa.Function
	cfg        *cfgIndex
	above      program.Answers[*ssa.Function, []Hold]
	turns      program.Answers[*ssa.Function, Class]
	fates      program.Answers[handed, fate]

	constructors program.Answers[*ssa.Function, map[*types.Var]flow.Path]
	partial      bool                                 // something that the package imports could not be loaded
	alwaysSet    program.Answers[*types.Var, bool]    // as in neverNil
	objects      *objects                             // nil until it is needed
	constructs   program.Answers[*ssa.Function, bool] // whether the first result is a new object that has not escaped
	giving       program.Answers[*ssa.Parameter, bool]
	links        map[backLink]bool

	below            []*link.Summary[PackageFact]        // of all packages below this one that are analysed, by path
	analysedPackages map[string]bool                     // these
	owners           program.Answers[*types.Var, string] // what ownerFields has found
	supplied         map[string]bool                     // the functions whose summaries others are given
	clients          *blocking.Clients
	bounds           *blocking.Bounds // nil until it is needed
	openCalls        program.Answers[*ssa.CallCommon, OpenCall]
	types            link.Types      // how the package uses interfaces
	dependency       bool            // the package is not the user's own
	managed          []*ssa.Function // as in isManaged; nil until it is needed
	// the work done: instructions, parts of states, events of callees and peers (TestGrowth)
	work int
}

func summarize(u *link.Unit[PackageFact]) any {
	pass := u.Pass
	imports := importsOf(u)
	if !interesting(pass) && (len(u.Below) == 0 || !link.Linked(pass)) {
		u.Part = PackageFact{Name: pass.Pkg.Name(), Imports: imports}
		return &Result{}
	}
	e := analyse(u)
	res := &Result{Writers: e.writers(), Dirs: link.Dirs{pass.Pkg.Path(): link.Dir(pass)}}
	for _, s := range u.Below {
		res.Dirs[s.Path] = s.Dir
	}
	res.Takers, res.Uncontended = e.takers(), e.uncontended()
	u.Part = *e.order(res)
	u.Part.Name, u.Part.Imports = pass.Pkg.Name(), imports
	e.object(&u.Part, res.Takers)
	for _, fn := range e.pkg.Funcs {
		if r := e.results[fn]; r != nil {
			r.Leaks = slices.DeleteFunc(r.Leaks, func(l Leak) bool { return e.handOff(fn, l) })
			for i := range r.Leaks {
				r.Leaks[i].By = e.forgetter(fn, r.Leaks[i])
			}
			r.Events = slices.DeleteFunc(r.Events,
				func(o Occurrence) bool { return o.Acquire != nil && e.otherMode(&o, o.Acquire.Lock.Class) })
			res.Funcs = append(res.Funcs, r)
		}
		obj, ok := fn.Object().(*types.Func)
		if s, lit := e.summaries[fn], e.literalOf(fn); ok && obj.Pkg() == pass.Pkg && !(s.empty() && lit.empty()) {
			f := &Fact{Literal: e.exported(&lit, nil)}
			if s != nil {
				f.Summary = e.exported(s, lit.Released)
			}
			pass.ExportObjectFact(obj, f)
		}
	}
	return res
}

// analyse summarises the functions of the package, and finds what can end their waits.
func analyse(u *link.Unit[PackageFact]) *engine {
	e := newEngine(u)
	e.summarise()
	e.resolvePeers()
	e.indexReleasers()
	return e
}

// newEngine has the indexes that every function is interpreted with.
func newEngine(u *link.Unit[PackageFact]) *engine {
	pass := u.Pass
	pkg := program.Of(pass).As("lockheld") // which reports what is found here
	e := &engine{
		pass: pass, prog: pkg.Prog, pkg: pkg,
		results:    map[*ssa.Function]*FuncResult{},
		summaries:  map[*ssa.Function]*Summary{},
		inProgress: map[*ssa.Function]bool{},
		heldAt:     map[ssa.Instruction][]Hold{},
		origins:    pkg.Origins(),
		table:      blocking.Table(rule.Active.Blocks),
		cfg:        newCFGIndex(),
		dependency: rule.IsDependency(pass),
		partial:    kubeapi.Imports(pass.Pkg, func(path string) bool { return path == flow.UnloadedPath }),
	}
	e.below, e.analysedPackages, e.supplied = u.Below, map[string]bool{}, map[string]bool{}
	for _, f := range e.below {
		e.analysedPackages[f.Path] = true
	}
	e.aliases = e.indexAliases()
	e.indexLinks()
	e.peers = e.indexPeers()
	e.clients = e.indexClients()
	return e
}

// interesting is a cheap test whether the package can have findings or facts: it imports or uses what locks or
// blocks, calls function parameters, or depends on a package with facts.
func interesting(pass *analysis.Pass) bool {
	table := blocking.Table(rule.Active.Blocks)
	if kubeapi.Imports(pass.Pkg, func(p string) bool { return lockPackages[p] || table.Known(p) }) {
		return true
	}
	for _, f := range pass.AllObjectFacts() {
		if _, ok := f.Fact.(*Fact); ok {
			return true
		}
	}
	// A lock of another package's variable or object does not need an import of sync, nor a method of a factory an
	// import of a package in the table.
	for _, obj := range pass.TypesInfo.Uses {
		fn, ok := obj.(*types.Func)
		if !ok || fn.Pkg() == nil {
			continue
		}
		recv := fn.Signature().Recv()
		if lockPackages[fn.Pkg().Path()] || table.Waits(fn) || fn.Pkg() == pass.Pkg && recv != nil &&
			types.IsInterface(recv.Type()) {
			return true
		}
	}
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt, *ast.SelectStmt:
				found = true
			case *ast.FuncDecl:
				found = found || slices.ContainsFunc(n.Type.Params.List, func(f *ast.Field) bool {
					t := pass.TypesInfo.TypeOf(f.Type)
					_, isFunc := t.Underlying().(*types.Signature)
					return isFunc
				})
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			case *ast.RangeStmt:
				_, isChan := types.Unalias(pass.TypesInfo.TypeOf(n.X)).Underlying().(*types.Chan)
				found = found || isChan
			}
			return !found
		})
	}
	return found
}

func (e *engine) at(pos token.Pos) link.At { return link.AtOf(e.pass, pos) }

// event is what happens at instr.
func (e *engine) event(instr ssa.Instruction) Event {
	pos := flow.Pos(instr)
	return Event{Pos: pos, At: e.at(pos)}
}

// spelled is the function of the call at pos as the source has it, or what, where that is long or unknown.
func (e *engine) spelled(pos token.Pos, what string) string {
	return cmp.Or(e.pkg.Spelled(pos), what)
}

// summary is the summary of fn; on a cycle of calls, what the round before knew.
func (e *engine) summary(fn *ssa.Function) *Summary {
	if s, ok := e.summaries[fn]; ok {
		return s
	}
	if fn.Pkg != e.pkg.Package || len(fn.Blocks) == 0 {
		return e.importedSummary(fn)
	}
	if e.inProgress[fn] {
		return nil
	}
	e.inProgress[fn] = true
	defer delete(e.inProgress, fn)
	return e.compute(fn)
}

// compute interprets fn and stores the result.
func (e *engine) compute(fn *ssa.Function) *Summary {
	res, sum := &FuncResult{Fn: fn}, &Summary{}
	func() {
		defer func() {
			if r := recover(); r != nil {
				rule.Failure(e.pass, "lockheld", "function "+flow.FuncName(fn), r)
			}
		}()
		if fn.Blocks != nil { // else it is written in assembly, or linked by name
			res, sum = e.interpret(fn)
		}
	}()
	e.results[fn], e.summaries[fn] = res, sum
	return sum
}

func (e *engine) importedSummary(fn *ssa.Function) *Summary {
	if f := e.importedFact(fn); f != nil {
		return &f.Summary
	}
	return nil
}

// importedFact is that of a function of another package, nil for none.
func (e *engine) importedFact(fn *ssa.Function) *Fact {
	obj := flow.Object(fn)
	if obj == nil {
		return nil
	}
	return e.imported.Ask(obj, nil, func() *Fact {
		if f := new(Fact); obj.Pkg() != nil && obj.Pkg() != e.pass.Pkg && e.pass.ImportObjectFact(obj, f) {
			return f
		}
		return nil
	})
}

// ofUsers reports whether the users of the package, a dependency, end the wait b: they bound it, have the other end
// of the channel, or wait for something outside of both. Waits for the dependency's own goroutines are its own
// concern.
func (b *BlockEvent) ofUsers() bool {
	switch b.Kind {
	case blocking.CacheSync, blocking.Poll, blocking.Run, blocking.Queue, blocking.Declared:
		return true
	case blocking.Acquire: // the dependency releases its own semaphores
		return false
	}
	return b.Limit == blocking.Parameter || b.Peers.known()
}

// exported is s as other packages may read it: without positions and without names that only this package can follow.
// They can follow by which literal the locks handles are released.
func (e *engine) exported(s *Summary, handles []HeldRef) Summary {
	held := func(hs []HeldRef) []HeldRef { return visible(hs, func(h HeldRef) Ref { return h.Ref }) }
	same := func(r Ref) Ref { return r }
	followed := func(h HeldRef) bool {
		return !h.handle || slices.ContainsFunc(handles, func(r HeldRef) bool {
			return r.Param == h.Param && r.Global == h.Global && r.Sel == h.Sel && r.Mode == h.Mode
		})
	}
	out := Summary{
		Acquired: slices.DeleteFunc(held(s.Acquired), func(h HeldRef) bool { return !followed(h) }),
		Released: held(s.Released), May: visible(s.May, same),
		Acquires: visible(s.Acquires, func(a AcquireEvent) Ref { return a.Lock }),
		NoReturn: s.NoReturn,
	}
	out.Acquires = slices.DeleteFunc(out.Acquires, func(a AcquireEvent) bool { return a.captured() })
	for _, c := range s.Calls {
		if c.local == nil && !c.captured() {
			out.Calls = append(out.Calls, c)
		}
	}
	for i := range out.Acquires {
		out.Acquires[i].Event = exportedEvent(out.Acquires[i].Event)
	}
	for i, c := range out.Calls {
		out.Calls[i].Event, out.Calls[i].Held = exportedEvent(c.Event), held(c.Held)
	}
	for _, b := range s.Blocks {
		if b.Bound.local == nil && b.Own.local == nil && !b.captured() && (!e.dependency || b.ofUsers()) {
			b.Event = exportedEvent(b.Event)
			out.Blocks = append(out.Blocks, b)
		}
	}
	for _, o := range s.Opens {
		if !o.captured() {
			o.Event = exportedEvent(o.Event)
			out.Opens = append(out.Opens, o)
		}
	}
	for _, x := range s.Slow {
		if (x.Over == nil || x.Over.local == nil) && !x.captured() {
			x.Event = exportedEvent(x.Event)
			out.Slow = append(out.Slow, x)
		}
	}
	return out
}

// captured reports whether a guard of ev is about a variable that a literal captures: enclosing functions decide about
// it.
func (ev *Event) captured() bool { return slices.ContainsFunc(ev.Guards, Guard.Captured) }

// exportedEvent is ev as other packages understand it.
func exportedEvent(ev Event) Event {
	out := ev
	out.Pos, out.Chain, out.via = token.NoPos, nil, nil
	out.Dropped = visible(ev.Dropped, func(r Ref) Ref { return r })
	for _, h := range ev.Hops() {
		out.Chain = append(out.Chain, Hop{Func: h.Func, At: h.At})
	}
	return out
}

// visible are those of all whose name other packages can follow.
func visible[T any](all []T, name func(T) Ref) (out []T) {
	for _, x := range all {
		if name(x).local == nil {
			out = append(out, x)
		}
	}
	return out
}

// order finds the cycles of the lock-order graph over this package and its imports. It returns the package fact with
// the edges and writers for the packages that import this one.
func (e *engine) order(res *Result) *PackageFact {
	edges := e.edges()
	own := len(edges)
	fact := &PackageFact{Writers: slices.Sorted(maps.Keys(res.Writers))}
	for _, s := range e.below {
		f := &s.Part
		edges = append(edges, f.Edges...)
		for _, c := range f.Writers {
			if res.Writers[c].By == "" {
				res.Writers[c] = Witness{By: "in package " + f.Name}
			}
		}
	}
	res.Cycles = findCycles(edges, own, func(c Class) bool { return res.Writers[c.Inner()].By != "" }, e.pkg.Cut)
	if own > maxEdges {
		e.pkg.Cut("packages have more edges of lock orders than are exported", e.pass.Pkg)
	}
	for _, edge := range edges[:min(own, maxEdges)] {
		edge.Quiet = !rule.WantedFor(e.pass, "lockheld/order", edge.pos)
		edge.pos, edge.hold, edge.event, edge.more = token.NoPos, Hold{}, Event{}, nil
		edge.Chain = slices.Clone(edge.Chain)
		for i := range edge.Chain {
			edge.Chain[i].Pos = token.NoPos
		}
		fact.Edges = append(fact.Edges, edge)
	}
	return fact
}

// opOf is the lock operation that call is, with the lock under its canonical path. The L of a condition variable is the
// lock that it was bound to.
func (e *engine) opOf(call *ssa.CallCommon) (op, bool) {
	o, ok := opOf(call)
	if !ok || !o.lock.Known() {
		return o, ok
	}
	if cond := condOfL(flow.Recv(call)); cond != nil {
		if b, ok := e.condLock(cond); ok {
			o.lock, o.class, o.mode = b.lock, b.class, b.mode
		}
	}
	o.lock = e.canonical(o.lock)
	return o, true
}

// condOfL is c where v is c.L of a condition variable.
func condOfL(v ssa.Value) ssa.Value {
	u, ok := flow.Resolve(v).(*ssa.UnOp)
	if !ok {
		return nil
	}
	fa, ok := u.X.(*ssa.FieldAddr)
	if !ok || !kubeapi.IsType(fa.X.Type(), "sync", "Cond") {
		return nil
	}
	return fa.X
}

// holding keeps what is held at instr on every path.
func (e *engine) holding(instr ssa.Instruction, s *state) {
	if old, ok := e.heldAt[instr]; ok {
		if len(old) > 0 {
			e.heldAt[instr] = common(old, s.held)
		}
		return
	}
	e.heldAt[instr] = slices.Clone(s.held)
}

func (e *engine) eachInstr(do func(ssa.Instruction)) {
	for in := range flow.Instrs(e.pkg.Funcs...) {
		do(in)
	}
}

// writers are the lock classes that the package takes for writing, and waits for: TryLock does not.
func (e *engine) writers() map[Class]Witness {
	w := map[Class]Witness{}
	for _, fn := range e.pkg.Funcs {
		for c := range flow.Calls(fn) {
			if o, ok := e.opOf(c.Common()); ok && o.action == acquire && o.mode == Write && o.class != "" &&
				w[o.class.Inner()].By == "" && !private(o.lock, fn) {
				at := e.at(flow.Pos(c))
				w[o.class.Inner()] = Witness{
					By:     fmt.Sprintf("%s at %s", flow.FuncName(fn), at),
					Places: []Place{{at, "a writer waits here and blocks new readers"}},
				}
			}
		}
	}
	return w
}
