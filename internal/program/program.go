// Package program is the package under analysis as all rules see it: its call graph, and what is reachable in it. Each
// part is built on first use.
package program

import (
	"go/types"
	"iter"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// Analyzer has a *Lazy as its result.
var Analyzer = &analysis.Analyzer{
	Name:     "ctrllintprogram",
	Doc:      "resolve the calls of a package when a rule asks for it",
	Requires: []*analysis.Analyzer{ssapkg.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		return &Lazy{ssa: pass.ResultOf[ssapkg.Analyzer].(*ssapkg.Lazy)}, nil
	},
	ResultType: reflect.TypeFor[*Lazy](),
}

// Lazy builds a Program on first use. It is safe for concurrent use.
type Lazy struct {
	ssa  *ssapkg.Lazy
	once sync.Once
	prog *Program
	cuts cuts
}

// Of returns the Program of a pass whose analyzer requires Analyzer, which counts as that analyzer's what it cuts
// short. It panics where the SSA builder panicked, as [ssapkg.Lazy.Get] does.
func Of(pass *analysis.Pass) *Program {
	l := pass.ResultOf[Analyzer].(*Lazy)
	pkg := l.ssa.Get(pass.Analyzer.Name)
	l.once.Do(func() {
		l.prog = New(pkg)
		l.prog.cuts = &l.cuts
	})
	p := *l.prog
	p.cuts, p.asker = &l.cuts, pass.Analyzer.Name
	return &p
}

// As returns p with the limits that are exceeded attributed to the analyzer of that name.
func (p *Program) As(analyzer string) *Program {
	q := *p
	q.asker = analyzer
	return &q
}

// Notes returns the limits that analyzers have exceeded in the package, for -debug, once they have run.
func (l *Lazy) Notes() []string { return l.cuts.notes() }

// Joined returns what analyzers have joined of several packages, for -debug, once they have run.
func (l *Lazy) Joined() []string { return l.cuts.joined }

// source is an alias, as Program.Package is that of go/ssa.
type source = ssapkg.Package

// A Program is one package with its calls resolved. It is safe for concurrent use.
type Program struct {
	*source

	origins    func() *origin.Index
	invoked    func() map[*ssa.CallCommon]*ssa.Function
	callers    func() map[*ssa.Function][]ssa.CallInstruction
	components func() map[*ssa.Function]int
	methods    func() map[string][]*ssa.Function // by name
	// embedders are the types that may have methods of others.
	embedders func() []types.Type
	memo      *sync.Map // what Memo has found

	cuts  *cuts
	asker string // the analyzer that cuts are counted for
}

// New returns the Program of pkg.
func New(pkg *ssapkg.Package) *Program {
	p := &Program{source: pkg, cuts: new(cuts), asker: Analyzer.Name, memo: new(sync.Map)}
	p.origins = sync.OnceValue(func() *origin.Index { return origin.Build(pkg, p.Cut) })
	p.invoked = sync.OnceValue(p.indexInvoked)
	p.callers = sync.OnceValue(p.indexCallers)
	p.components = sync.OnceValue(p.indexComponents)
	p.methods = sync.OnceValue(p.indexMethods)
	p.embedders = sync.OnceValue(p.findEmbedders)
	return p
}

// Memo returns what find returns for the package, memoised by key, which has a type of its own.
func Memo[T any](p *Program, key any, find func() T) T {
	found, _ := p.memo.LoadOrStore(key, sync.OnceValue(find))
	return found.(func() T)()
}

// Origins returns where the package's channels, function values and dynamic types come from.
func (p *Program) Origins() *origin.Index { return p.origins() }

// Own returns the function of this package, with a body, that fn stands for: fn itself, the origin of an instance, the
// method behind a method value or a promoted method. It is nil for functions of other packages, and for nil.
func (p *Program) Own(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Synthetic != "" && fn.Parent() == nil {
		if obj := flow.Object(fn); obj != nil {
			if m := fn.Prog.FuncValue(obj); m != nil {
				fn = m
			}
		}
	}
	if fn.Pkg != p.Package || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// Callee returns the function of this package that c runs, nil if it is of another package or not known. A call of an
// interface method runs that of the one type that the package puts into the interface; types that other packages may
// put there are ignored.
func (p *Program) Callee(c *ssa.CallCommon) *ssa.Function {
	if c.IsInvoke() {
		return p.Own(p.invoked()[c])
	}
	return p.Own(flow.FuncValue(c.Value))
}

// Called returns the declared function or method that c runs, of any package: flow.Callee, or for an interface method
// that of the one type that the package puts into the interface.
func (p *Program) Called(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		if fn := p.invoked()[c]; fn != nil {
			return flow.Object(fn)
		}
	}
	return flow.Callee(c)
}

// indexInvoked finds the methods that calls of interface methods run, if the origins of the receiver know a single one.
// Methods promoted from an embedded field are left out: their receiver is not the value in the interface.
func (p *Program) indexInvoked() map[*ssa.CallCommon]*ssa.Function {
	invoked := make(map[*ssa.CallCommon]*ssa.Function)
	for c := range flow.Calls(p.Funcs...) {
		if !c.Common().IsInvoke() {
			continue
		}
		if targets, _ := p.Origins().Targets(c); len(targets) == 1 && targets[0].Sel == "" {
			invoked[c.Common()] = targets[0].Fn
		}
	}
	return invoked
}

// Callees returns the functions of this package that c may run. All is false if it may run others as well, or there
// are too many candidates.
func (p *Program) Callees(c ssa.CallInstruction) (fns []*ssa.Function, all bool) {
	common := c.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return nil, true
	}
	if !common.IsInvoke() {
		if fn := flow.FuncValue(common.Value); fn != nil {
			if own := p.Own(fn); own != nil {
				return []*ssa.Function{own}, true
			}
			return nil, false
		}
	}
	targets, all := p.Origins().Targets(c)
	for _, t := range targets {
		if own := p.Own(t.Fn); own != nil {
			fns = append(fns, own)
		}
	}
	return fns, all
}

// MayRun returns the Callees, and, if c calls a function out of a table, an over-approximation of its entries.
func (p *Program) MayRun(c ssa.CallInstruction) []*ssa.Function {
	fns, all := p.Callees(c)
	if len(fns) > 0 || all || c.Common().IsInvoke() {
		return fns
	}
	for _, fn := range p.Origins().Handlers(c) {
		if own := p.Own(fn); own != nil {
			fns = append(fns, own)
		}
	}
	return fns
}

// Callers returns the calls, deferred calls and go statements of this package whose callee is known to be fn (see
// Callee). [origin.Index.Callers] also has those that may run other functions.
func (p *Program) Callers(fn *ssa.Function) []ssa.CallInstruction { return p.callers()[fn] }

// OnlyFrom reports whether each chain of calls that leads to fn in the package begins in a function that root is true
// of, over calls that pass is true of: neither on a cycle, nor if a function that is no root has no callers.
func (p *Program) OnlyFrom(fn *ssa.Function, root func(*ssa.Function) bool, pass func(ssa.CallInstruction) bool) bool {
	known := map[*ssa.Function]bool{}
	var ask func(fn *ssa.Function) bool
	ask = func(fn *ssa.Function) bool {
		only, asked := known[fn]
		if !asked {
			known[fn] = false
			calls := p.Callers(fn)
			stray := func(c ssa.CallInstruction) bool { return !pass(c) || !ask(c.Parent()) }
			only = root(fn) || len(calls) > 0 && !slices.ContainsFunc(calls, stray)
			known[fn] = only
		}
		return only
	}
	return ask(fn)
}

// LeadingTo returns the functions of the package that lead to those of to over edges of these kinds, and those
// themselves.
func (p *Program) LeadingTo(edges Edge, to ...*ssa.Function) map[*ssa.Function]bool {
	type key struct{ edges Edge }
	callers := Memo(p, key{edges}, func() map[*ssa.Function][]*ssa.Function {
		callers := map[*ssa.Function][]*ssa.Function{}
		for _, fn := range p.All() {
			for _, next := range p.Next(edges, fn) {
				callers[next] = append(callers[next], fn)
			}
		}
		return callers
	})
	found := map[*ssa.Function]bool{}
	for work := slices.Clone(to); len(work) > 0; work = work[1:] {
		if fn := work[0]; !found[fn] {
			found[fn] = true
			work = append(work, callers[fn]...)
		}
	}
	return found
}

// IsValue reports whether the package uses fn, or the method of an object that it is, as a value, in another way than
// to call it.
func (p *Program) IsValue(fn *ssa.Function) bool {
	type key struct{}
	return Memo(p, key{}, func() map[*ssa.Function]bool {
		values := map[*ssa.Function]bool{}
		for in := range flow.Instrs(p.All()...) {
			call, _ := in.(ssa.CallInstruction)
			for _, op := range in.Operands(nil) {
				if v, ok := (*op).(*ssa.Function); ok && (call == nil || op != &call.Common().Value) {
					values[v], values[p.Own(v)] = true, true
				}
			}
		}
		return values
	})[fn]
}

func (p *Program) indexCallers() map[*ssa.Function][]ssa.CallInstruction {
	callers := make(map[*ssa.Function][]ssa.CallInstruction)
	for c := range flow.Calls(p.Funcs...) {
		callee := p.Own(flow.StaticCallee(c.Common()))
		if c.Common().IsInvoke() {
			callee = p.Callee(c.Common())
		}
		if callee != nil {
			callers[callee] = append(callers[callee], c)
		}
	}
	return callers
}

// An Edge is a way in which a function leads to another one.
type Edge uint8

const (
	// Calls are calls, and deferred calls, of functions that are certain.
	Calls Edge = 1 << iota
	// Dispatches are calls, and deferred calls, of function values and interface methods that may run a function.
	Dispatches
	// Spawns are go statements.
	Spawns
	// Mentions are functions that are made, passed on or stored: literals, method values, names.
	Mentions
	// Literals are function literals that are made, or mentioned in the function that they are in.
	Literals
	// Implementations are calls of interface methods, to all methods of this package that may be behind them.
	Implementations
)

// Reach yields the functions of this package that are reachable from those of from over edges of these kinds, from
// first.
func (p *Program) Reach(edges Edge, from ...*ssa.Function) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		seen := make(map[*ssa.Function]bool)
		var order []*ssa.Function
		add := func(fn *ssa.Function) {
			if fn = p.Own(fn); fn != nil && !seen[fn] {
				seen[fn] = true
				order = append(order, fn)
			}
		}
		for _, fn := range from {
			add(fn)
		}
		for i := 0; i < len(order); i++ {
			if !yield(order[i]) {
				return
			}
			for in := range flow.Instrs(order[i]) {
				p.lead(edges, in, add)
			}
		}
	}
}

// Next returns the successors of fn over edges of these kinds, in the order of its instructions.
func (p *Program) Next(edges Edge, fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for in := range flow.Instrs(fn) {
		p.lead(edges, in, func(next *ssa.Function) {
			if next = p.Own(next); next != nil && !slices.Contains(out, next) {
				out = append(out, next)
			}
		})
	}
	return out
}

// BottomUp returns the functions of the package by strongly connected component over these edges, callees first. Each
// kind of graph is built once.
func (p *Program) BottomUp(edges Edge) [][]*ssa.Function {
	return Memo(p, edges, func() [][]*ssa.Function {
		return Components(p.Funcs, func(fn *ssa.Function) []*ssa.Function { return p.Next(edges, fn) })
	})
}

// OnCycle reports whether a is b, or they are on one cycle of calls and go statements.
func (p *Program) OnCycle(a, b *ssa.Function) bool {
	if a == b {
		return true
	}
	of := p.components()
	i, ok := of[a]
	j, same := of[b]
	return ok && same && i == j
}

// indexComponents numbers the strongly connected components over calls and go statements.
func (p *Program) indexComponents() map[*ssa.Function]int {
	of := make(map[*ssa.Function]int)
	for i, component := range p.BottomUp(Calls | Spawns) {
		for _, fn := range component {
			of[fn] = i
		}
	}
	return of
}

// lead calls add for each edge of the instruction in.
func (p *Program) lead(edges Edge, in ssa.Instruction, add func(*ssa.Function)) {
	if c, ok := in.(ssa.CallInstruction); ok {
		_, spawned := c.(*ssa.Go)
		if spawned && edges&Spawns != 0 || !spawned && edges&Calls != 0 {
			add(p.Callee(c.Common()))
		}
		if edges&Dispatches != 0 && (!spawned || edges&Spawns != 0) && p.Callee(c.Common()) == nil {
			fns, _ := p.Callees(c)
			for _, fn := range fns {
				add(fn)
			}
		}
	}
	if edges&Implementations != 0 {
		if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
			for _, fn := range p.Implementers(c.Common()) {
				add(fn)
			}
		}
	}
	if edges&(Mentions|Literals) == 0 {
		return
	}
	for _, op := range in.Operands(nil) { // of a MakeClosure, its function is one
		if fn, ok := (*op).(*ssa.Function); ok && (edges&Mentions != 0 || fn.Parent() == in.Parent()) {
			add(fn)
		}
	}
}

// Implementers returns the methods of this package that a call of an interface method may run by its type alone.
func (p *Program) Implementers(c *ssa.CallCommon) []*ssa.Function {
	iface, ok := c.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	type call struct {
		iface  *types.Interface
		method string
	}
	return Memo(p, call{iface, c.Method.Id()}, func() (out []*ssa.Function) {
		for _, fn := range p.methods()[c.Method.Name()] {
			// A client's Update is not that of an event handler.
			if implements(fn.Signature.Recv().Type(), iface) {
				out = append(out, fn)
			}
		}
		for _, t := range p.embedders() { // a type may have the method from one that it embeds, which lacks the others
			obj, path, _ := types.LookupFieldOrMethod(t, true, c.Method.Pkg(), c.Method.Name())
			m, ok := obj.(*types.Func)
			if !ok || len(path) < 2 || !implements(t, iface) {
				continue
			}
			if fn := p.Own(p.Prog.FuncValue(m.Origin())); fn != nil && !slices.Contains(out, fn) {
				out = append(out, fn)
			}
		}
		return slices.Clip(out)
	})
}

func implements(t types.Type, iface *types.Interface) bool {
	return types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface)
}

// findEmbedders returns the struct types of the package with embedded fields, by name.
func (p *Program) findEmbedders() []types.Type {
	var out []types.Type
	scope := p.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if named, ok := tn.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 {
			continue
		}
		st, ok := tn.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if st.Field(i).Embedded() {
				out = append(out, tn.Type())
				break
			}
		}
	}
	return out
}

func (p *Program) indexMethods() map[string][]*ssa.Function {
	methods := make(map[string][]*ssa.Function)
	for _, fn := range p.Funcs {
		if fn.Signature.Recv() != nil {
			methods[fn.Name()] = append(methods[fn.Name()], fn)
		}
	}
	return methods
}
