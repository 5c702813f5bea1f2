// Package origin says, for one package, where a function value, a channel, a wait group or the dynamic type of an
// interface may come from.
//
// It is a flow-insensitive, field-based propagation in the manner of variable type analysis (Sundaresan et al.,
// OOPSLA 2000): one node for each value and variable, one for each struct field whatever the object. Function values
// and dynamic types follow directed edges. Channels and objects of package sync are shared by all who have them, so
// their nodes are unified (Steensgaard, POPL 1996). Whatever code outside the package may put in is marked unknown, and
// whatever it may have escapes.
package origin

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// Escape says how far code that is not in sight can have a channel.
type Escape uint8

// The ways to escape.
const (
	Returned Escape = 1 << iota // an exported function gives it out: those who ask for it have it
	Passed                      // it is passed to, or can be read by, code of another package
	Received                    // as Passed, but only to receive from it
	Sent                        // as Passed, but only to send to it, or to close it
)

// Func is a function that a value may hold.
type Func struct {
	Fn      *ssa.Function    // the function itself: the method for a bound method value
	Closure *ssa.MakeClosure // where it was made, nil for a plain function
	Bound   bool             // Closure binds Fn's receiver
}

// Group is all that is one channel (or wait group, …) as far as the package can tell.
type Group struct{ n *node }

// Known reports whether g is anything.
func (g Group) Known() bool { return g.n != nil }

// Makes are the make calls of the group's channels.
func (g Group) Makes() []*ssa.MakeChan { return g.n.makes }

// Unknown reports whether the group may hold channels that were made elsewhere.
func (g Group) Unknown() bool { return g.n.unknown || g.n.open && len(g.n.makes) == 0 }

// Escape says how code that is not in sight may have the group.
func (g Group) Escape() Escape { return g.n.escape }

// A Target is a function that a call may run, with what its parameters are given.
type Target struct {
	Func
	Args []ssa.Value // receiver first; nil for one that is not known
	Sel  string      // the steps from Args[0] to the receiver, for a promoted method
}

// Index is the result for one package.
type Index struct {
	pkg     *ssapkg.Package
	nodes   map[key]*node
	targets map[ssa.CallInstruction][]Target
	callers map[*ssa.Function][]ssa.CallInstruction
	dynamic []ssa.CallInstruction
	impls   map[*types.Func][]*types.Named
	stores  map[*types.Var][]*ssa.Store  // to func-typed fields
	partial map[ssa.CallInstruction]bool // calls that may run more than their targets
	main    bool
}

const (
	maxVisited = 2000 // nodes that one query looks at
	maxTargets = 3    // functions that one dynamic call is taken to run; more are too many to say anything
	rounds     = 4    // a resolved call lets values flow, which resolves further calls
)

// Build makes the index of pkg.
func Build(pkg *ssapkg.Package) *Index {
	ix := &Index{
		pkg: pkg, nodes: map[key]*node{}, targets: map[ssa.CallInstruction][]Target{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, impls: map[*types.Func][]*types.Named{},
		stores: map[*types.Var][]*ssa.Store{}, partial: map[ssa.CallInstruction]bool{},
		main: pkg.Pkg.Name() == "main",
	}
	fns := pkg.Funcs
	if init := pkg.Func("init"); init != nil {
		fns = append(fns[:len(fns):len(fns)], init)
	}
	for _, fn := range fns {
		ix.params(fn)
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				ix.instr(in)
			}
		}
	}
	ix.connect()
	// Where the package's own types implement an interface, they are what it is for: only calls that run none of the
	// package's functions leave it.
	for _, c := range ix.dynamic {
		if ix.partial[c] && (!c.Common().IsInvoke() || !ix.bound(c)) {
			ix.leave(c, c.Common().Args)
		}
	}
	ix.connect() // what comes from elsewhere may run other functions still
	for _, c := range ix.dynamic {
		for _, t := range ix.targets[c] {
			ix.callers[t.Fn] = append(ix.callers[t.Fn], c)
		}
	}
	return ix
}

// connect lets the arguments of calls of function values and interface methods come to what they may run, which may
// resolve more such calls.
func (ix *Index) connect() {
	for range rounds {
		changed := false
		for _, c := range ix.dynamic {
			ts, partial := ix.resolve(c)
			for _, t := range ts {
				known := func(o Target) bool { return o.Fn == t.Fn && o.Sel == t.Sel && o.Closure == t.Closure }
				if !slices.ContainsFunc(ix.targets[c], known) {
					ix.bind(c, t)
					changed = true
				}
			}
			ix.targets[c], ix.partial[c] = ts, partial
		}
		if !changed {
			return
		}
	}
}

// bound reports whether a call may run a function of the package.
func (ix *Index) bound(c ssa.CallInstruction) bool {
	return slices.ContainsFunc(ix.targets[c], func(t Target) bool { return t.Fn.Pkg == ix.pkg.Package && len(t.Fn.Blocks) > 0 })
}

// Callers are the calls, deferred calls and go statements of the package that may run fn.
func (ix *Index) Callers(fn *ssa.Function) []ssa.CallInstruction { return ix.callers[fn] }

// Targets are the functions that a call of a function value or an interface method may run: at most three, none where
// there may be more. The second result is false where there may be others, which are not in sight.
func (ix *Index) Targets(c ssa.CallInstruction) ([]Target, bool) {
	return ix.targets[c], len(ix.targets[c]) > 0 && !ix.partial[c]
}

// open reports whether other packages can have types that implement the interface t.
func (ix *Index) open(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return true
	}
	for m := range iface.Methods() {
		if !m.Exported() {
			return false
		}
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ix.main && (!ok || n.Obj().Exported() || n.Obj().Pkg() != ix.pkg.Pkg)
}

// Funcs are the functions that v may hold; the second result is true where it may hold others as well.
func (ix *Index) Funcs(v ssa.Value) ([]Func, bool) {
	n := ix.nodes[key(v)]
	if n == nil {
		if fn := flow.FuncValue(v); fn != nil {
			return []Func{{Fn: fn}}, false
		}
		return nil, true
	}
	want, _ := v.Type().Underlying().(*types.Signature)
	var out []Func
	seen := map[*ssa.Function]bool{}
	unknown := ix.visit(n, func(n *node) {
		for _, f := range n.funcs {
			if !seen[f.Fn] && fits(f, want) {
				seen[f.Fn] = true
				out = append(out, f)
			}
		}
	})
	return out, unknown
}

// fits tells the functions that v can hold from others that came the same way, as elements or fields of it.
func fits(f Func, want *types.Signature) bool {
	if want == nil || f.Fn.Signature == nil {
		return true
	}
	if f.Closure == nil && f.Fn.Signature.Recv() != nil { // a method expression: the receiver is the first parameter
		return f.Fn.Signature.Params().Len()+1 == want.Params().Len() && f.Fn.Signature.Results().Len() == want.Results().Len()
	}
	return f.Fn.Signature.Params().Len() == want.Params().Len() && f.Fn.Signature.Results().Len() == want.Results().Len()
}

// types are the dynamic types of the interface v.
func (ix *Index) types(v ssa.Value) ([]types.Type, bool) {
	n := ix.nodes[key(v)]
	if n == nil {
		return nil, true
	}
	iface, ok := v.Type().Underlying().(*types.Interface)
	if !ok {
		return nil, true
	}
	var out []types.Type
	unknown := ix.visit(n, func(n *node) {
		for _, t := range n.types {
			same := func(o types.Type) bool { return types.Identical(o, t) }
			if types.Implements(t, iface) && !contains(out, same) {
				out = append(out, t)
			}
		}
	})
	return out, unknown
}

func contains(ts []types.Type, same func(types.Type) bool) bool {
	for _, t := range ts {
		if same(t) {
			return true
		}
	}
	return false
}

// visit walks all that may come to n; it reports whether something unknown may.
func (ix *Index) visit(n *node, do func(*node)) (unknown bool) {
	seen := map[*node]bool{}
	work := []*node{n.find()}
	for len(work) > 0 {
		n := work[len(work)-1].find()
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		if len(seen) >= maxVisited {
			return true
		}
		seen[n] = true
		unknown = unknown || n.unknown || n.open
		do(n)
		work = append(work, n.preds...)
	}
	return unknown
}

// GroupOf is the group of a channel, or of the address of an object of package sync.
func (ix *Index) GroupOf(v ssa.Value) Group {
	if !shared(v.Type()) {
		return Group{}
	}
	if n := ix.place(v); n != nil {
		return Group{n.find()}
	}
	return Group{}
}

// at is the node of k, made when first wanted.
func (ix *Index) at(k key) *node {
	n := ix.nodes[k]
	if n == nil {
		n = &node{}
		ix.nodes[k] = n
	}
	return n
}

// value is the node of v, nil for values that are not followed.
func (ix *Index) value(v ssa.Value) *node {
	if v == nil || !tracked(v.Type()) {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.FieldAddr, *ssa.IndexAddr: // an address and what is there are one node
		return ix.place(v)
	case *ssa.Function:
		n := ix.at(v)
		if len(n.funcs) == 0 {
			n.funcs = []Func{{Fn: method(x)}}
		}
		return n
	case *ssa.Global:
		n := ix.at(v)
		if !ix.main && token.IsExported(x.Name()) || x.Pkg != ix.pkg.Package {
			n.find().unknown = true
			n.find().escape |= Passed
		}
		return n
	}
	return ix.at(v)
}

// method is the declared method behind a bound-method or method-expression wrapper, and fn itself otherwise.
func method(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Synthetic == "" {
		return fn
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if m := fn.Prog.FuncValue(obj.Origin()); m != nil {
			return m
		}
	}
	return fn
}

// place is the node of what the address or reference v leads to.
func (ix *Index) place(v ssa.Value) *node {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return ix.field(x.X.Type(), x.Field)
	case *ssa.Field:
		return ix.field(x.X.Type(), x.Field)
	case *ssa.IndexAddr:
		return ix.value(x.X)
	}
	return ix.value(v)
}

// field is the node of a struct field, one for all objects.
func (ix *Index) field(t types.Type, i int) *node {
	f := flow.Field(t, i)
	if f == nil || !tracked(f.Type()) && !tracked(types.NewPointer(f.Type())) {
		return nil
	}
	f = f.Origin()
	n := ix.nodes[key(f)]
	if n == nil {
		n = &node{}
		ix.nodes[key(f)] = n
		switch {
		case f.Pkg() != ix.pkg.Pkg:
			n.unknown = true
			n.escape = Passed
		case f.Exported() && !ix.main && !f.Embedded(): // code elsewhere can have it, if it asks
			n.open = true
			n.escape = Returned
		}
	}
	return n.find()
}

// params marks what callers that are not in sight may pass.
func (ix *Index) params(fn *ssa.Function) {
	if !ix.exported(fn) {
		return
	}
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil {
			continue
		}
		if n := ix.value(p); n != nil {
			n.find().unknown = true
			n.find().escape |= Passed
		}
	}
}

// exported reports whether code outside the package can call fn by its name.
func (ix *Index) exported(fn *ssa.Function) bool {
	obj := flow.Object(fn)
	if fn.Parent() != nil || obj == nil {
		return false
	}
	if ix.main && obj.Type().(*types.Signature).Recv() == nil {
		return false
	}
	return obj.Exported()
}

func (ix *Index) instr(in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			ix.move(x, e)
		}
	case *ssa.UnOp:
		switch x.Op {
		case token.MUL:
			ix.assign(ix.value(x), ix.place(x.X), x.Type())
		case token.ARROW:
			ix.receive(x, x.X)
		}
	case *ssa.Store:
		if fa, ok := x.Addr.(*ssa.FieldAddr); ok && isFunc(x.Val) {
			if f := flow.Field(fa.X.Type(), fa.Field); f != nil {
				ix.stores[f.Origin()] = append(ix.stores[f.Origin()], x)
			}
		}
		ix.assign(ix.place(x.Addr), ix.value(x.Val), x.Val.Type())
	case *ssa.Send:
		if n := ix.value(x.Chan); n != nil {
			ix.assign(n.element(), ix.value(x.X), x.X.Type())
		}
	case *ssa.Select:
		for _, st := range x.States {
			if n := ix.value(st.Chan); n != nil && st.Send != nil {
				ix.assign(n.element(), ix.value(st.Send), st.Send.Type())
			}
		}
	case *ssa.MapUpdate:
		ix.assign(ix.value(x.Map), ix.value(x.Value), x.Value.Type())
		ix.assign(ix.value(x.Map), ix.value(x.Key), x.Key.Type())
	case *ssa.Lookup:
		ix.move(x, x.X)
	case *ssa.Index:
		ix.move(x, x.X)
	case *ssa.Field:
		ix.assign(ix.value(x), ix.field(x.X.Type(), x.Field), x.Type())
	case *ssa.Slice:
		ix.move(x, x.X)
	case *ssa.ChangeType:
		ix.move(x, x.X)
	case *ssa.ChangeInterface:
		ix.move(x, x.X)
	case *ssa.Convert:
		ix.move(x, x.X)
	case *ssa.SliceToArrayPointer:
		ix.move(x, x.X)
	case *ssa.TypeAssert:
		if !x.CommaOk {
			ix.move(x, x.X)
		}
	case *ssa.MakeInterface:
		if n := ix.value(x); n != nil {
			n.find().types = append(n.find().types, x.X.Type())
			ix.assign(n, ix.value(x.X), x.Type())
		}
		if shared(x.X.Type()) { // who asserts it back is not followed
			ix.escape(x.X, Passed)
		}
	case *ssa.Extract:
		ix.extract(x)
	case *ssa.MakeChan:
		if n := ix.value(x); n != nil {
			n.find().makes = append(n.find().makes, x)
		}
	case *ssa.MakeClosure:
		ix.closure(x)
	case *ssa.Return:
		ix.results(x)
	case ssa.CallInstruction:
		ix.call(x)
	}
}

// move is dst = src.
func (ix *Index) move(dst, src ssa.Value) { ix.assign(ix.value(dst), ix.value(src), src.Type()) }

// assign lets what is in src come to dst. References to containers are shared: what one writes, the other reads.
func (ix *Index) assign(dst, src *node, t types.Type) {
	if dst == nil || src == nil {
		return
	}
	if shared(t) {
		spread(dst, src, true)
		return
	}
	spread(dst, src, false)
	switch types.Unalias(t).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		spread(src, dst, false)
	}
}

func (ix *Index) receive(dst ssa.Value, ch ssa.Value) {
	if n := ix.value(ch); n != nil {
		ix.assign(ix.value(dst), n.element(), dst.Type())
	}
}

func (ix *Index) extract(x *ssa.Extract) {
	switch t := x.Tuple.(type) {
	case *ssa.Call:
		if fn := ix.local(flow.StaticCallee(&t.Call)); fn != nil {
			ix.assign(ix.value(x), ix.at(resultKey{fn, x.Index}), x.Type())
		}
	case *ssa.UnOp: // v, ok := <-ch
		if x.Index == 0 {
			ix.receive(x, t.X)
		}
	case *ssa.Lookup:
		if x.Index == 0 {
			ix.move(x, t.X)
		}
	case *ssa.TypeAssert:
		if x.Index == 0 {
			ix.move(x, t.X)
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok {
			ix.move(x, r.X)
		}
	case *ssa.Select:
		i := x.Index - 2
		for _, st := range t.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if i == 0 {
				ix.receive(x, st.Chan)
			}
			i--
		}
	}
}

func (ix *Index) unknown(v ssa.Value) {
	if n := ix.value(v); n != nil {
		n.find().unknown = true
		n.find().escape |= Passed
	}
}

func (ix *Index) escape(v ssa.Value, how Escape) {
	if n := ix.place(v); n != nil {
		n.find().escape |= how
	}
}

func (ix *Index) closure(x *ssa.MakeClosure) {
	fn := x.Fn.(*ssa.Function)
	n := ix.value(x)
	f := Func{Fn: fn, Closure: x}
	if m := method(fn); m != fn {
		f.Fn, f.Bound = m, true
		if len(m.Params) > 0 && len(x.Bindings) > 0 && m.Pkg == ix.pkg.Package {
			ix.move(m.Params[0], x.Bindings[0])
		}
	} else {
		for i, b := range x.Bindings {
			if p := ix.place(b); p != nil { // the variable itself, not its value
				union(ix.at(fn.FreeVars[i]), p)
			}
		}
	}
	if n != nil {
		n.find().funcs = append(n.find().funcs, f)
	}
}

func (ix *Index) results(x *ssa.Return) {
	fn := x.Parent()
	for i, r := range x.Results {
		n := ix.value(r)
		if n == nil {
			continue
		}
		ix.assign(ix.at(resultKey{fn, i}), n, r.Type())
		if ix.exported(fn) {
			n.find().escape |= Returned
		}
	}
}

// local is fn where its body belongs to the package.
func (ix *Index) local(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if fn = method(fn); fn.Pkg == ix.pkg.Package && len(fn.Blocks) > 0 {
		return fn
	}
	return nil
}

func (ix *Index) isDynamic(c ssa.CallInstruction) bool {
	call := c.Common()
	_, builtin := call.Value.(*ssa.Builtin)
	return !builtin && (call.IsInvoke() || flow.StaticCallee(call) == nil)
}

func (ix *Index) call(c ssa.CallInstruction) {
	call := c.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch v, _ := c.(*ssa.Call); b.Name() {
		case "append":
			for _, a := range call.Args {
				if ix.value(v) != nil {
					ix.assign(ix.value(v), ix.value(a), a.Type())
				}
			}
		case "copy":
			ix.move(call.Args[0], call.Args[1])
		}
		return
	}
	if ix.isDynamic(c) {
		ix.dynamic = append(ix.dynamic, c)
		return
	}
	callee := flow.StaticCallee(call)
	if fn := ix.local(callee); fn != nil {
		ix.callers[fn] = append(ix.callers[fn], c)
		ix.bind(c, Target{Func: Func{Fn: fn}, Args: flow.AllArgs(call)})
		return
	}
	if callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync" { // it keeps what it gets to itself
		return
	}
	ix.leave(c, flow.Args(call))
}

// leave is a call of code that is not in sight.
func (ix *Index) leave(c ssa.CallInstruction, args []ssa.Value) {
	for _, a := range args {
		if shared(a.Type()) {
			ix.escape(a, direction(a.Type()))
		}
	}
	v, ok := c.(*ssa.Call)
	if !ok {
		return
	}
	ix.unknown(v)
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok {
			ix.unknown(x)
		}
	}
}

// direction is how code that gets a value of type t has the channel.
func direction(t types.Type) Escape {
	if c, ok := t.Underlying().(*types.Chan); ok {
		switch c.Dir() {
		case types.RecvOnly:
			return Received
		case types.SendOnly:
			return Sent
		}
	}
	return Passed
}

// bind lets the arguments of a call come to the parameters of t, and its results to the call.
func (ix *Index) bind(c ssa.CallInstruction, t Target) {
	for i, a := range t.Args {
		if i < len(t.Fn.Params) && a != nil {
			ix.move(t.Fn.Params[i], a)
		}
	}
	v, ok := c.(*ssa.Call)
	if !ok {
		return
	}
	res := t.Fn.Signature.Results()
	if res.Len() == 1 {
		if n := ix.value(v); n != nil {
			ix.assign(n, ix.at(resultKey{t.Fn, 0}), v.Type())
		}
		return
	}
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index < res.Len() {
			if n := ix.value(x); n != nil {
				ix.assign(n, ix.at(resultKey{t.Fn, x.Index}), x.Type())
			}
		}
	}
}
