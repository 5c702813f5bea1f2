package lock

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// PackageFact is the part of a package in its summary: the order of its locks, and what programs join.
type PackageFact struct {
	Name    string
	Edges   []Edge
	Writers []Class // that some function locks for writing, sorted

	Imports      []string // the packages that it imports, of those that are analysed
	Types        link.Types
	Held         []Open        // the open calls that are made with a lock held
	Funcs        []FuncSummary // of the functions that are called through what others have
	Supplies     []Supply
	Channels     []Channel
	SingleTakers []Class  // that one function takes, and no other one
	Many         []string // types of which a container has objects
	Uses         []string // functions that are named; see engine.uses
	Options      []string // flags in structs that are set; see engine.options
}

// An Open is what is done with locks held and takes others to judge: an open call, or a wait that they may end.
type Open struct {
	Call OpenCall
	Wait *BlockEvent // for a wait
	Func string      // the function that holds the locks, for messages, and
	Name string      // as all packages do
	Held []OpenHold
	At   link.At // of the call
	Hops []Hop   // from there to the open call, and
	Ends link.At // where that is

	Passed []HeldRef // locks that are taken on every way from there
}

// An OpenHold is a lock that is held at an open call.
type OpenHold struct {
	Class Class
	Mode  Mode
	Name  string // as its function calls it
	Taken link.At
	By    string // the function that holds it, where that is another one
	At    link.At
}

// A FuncSummary is the summary of the function of that name.
type FuncSummary struct {
	Name    string
	Summary Summary
}

// A Channel is one channel, by allocation site, that other packages have a name for.
type Channel struct {
	Names     []string
	Stray     bool           // code that has no name for it may use it
	Room      []int          // the buffers with which it is made; -1 for one that is computed
	Receivers int            // how many places receive from it, and
	Receives  []Context      // the ways to these
	Exits     []ReceiverExit // where all of them can leave
	Sends     []Context      // the ways to the places that send to it or close it
}

// A Supply lists the functions, and the types of an interface, that flow to a place with a name in other packages, and
// the places that flow there.
type Supply struct {
	Name               string
	Funcs, Types, From []string
}

// importsOf are the packages with a summary that the package of u imports.
func importsOf(u *link.Unit[PackageFact]) (imports []string) {
	for _, i := range u.Pass.Pkg.Imports() {
		if slices.ContainsFunc(u.Below, func(b *link.Summary[PackageFact]) bool { return b.Path == i.Path() }) {
			imports = append(imports, i.Path())
		}
	}
	slices.Sort(imports)
	return imports
}

// object fills in what the program needs of the package, whose locks these functions take.
func (e *engine) object(f *PackageFact, takers map[Class][]*ssa.Function) {
	many := map[string]bool{}
	keep := func(v ssa.Value) {
		v = flow.Unwrap(v)
		if mi, ok := v.(*ssa.MakeInterface); ok {
			v = mi.X
		}
		if n := kubeapi.Named(v.Type()); n != nil && n.Obj().Pkg() != nil && e.own(n.Obj().Pkg()) {
			many[kubeapi.Path(n.Obj().Pkg().Path())+"."+n.Obj().Name()] = true
		}
	}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.MapUpdate:
			keep(x.Value)
		case *ssa.Store:
			if _, ok := x.Addr.(*ssa.IndexAddr); ok {
				keep(x.Val)
			}
		case *ssa.MakeInterface:
			e.converts(f, x)
		case *ssa.ChangeInterface:
			e.types.Assert(x.X.Type(), x.Type())
		case *ssa.TypeAssert:
			if types.IsInterface(x.AssertedType) {
				e.types.Assert(x.X.Type(), x.AssertedType)
			}
		}
	})
	f.SingleTakers = singleTakers(takers)
	f.Many, f.Uses, f.Options = slices.Sorted(maps.Keys(many)), e.uses(), e.options()
	for _, s := range e.origins.Supplies() {
		if path := packageOf(s.Name); path != e.pass.Pkg.Path() && !e.analysedPackages[path] {
			continue // no package asks for it
		}
		out := Supply{Name: s.Name, From: s.From}
		for _, t := range s.Types {
			if n := kubeapi.Named(t); n != nil && n.Obj().Pkg() != nil && e.own(n.Obj().Pkg()) {
				out.Types = append(out.Types, link.TypeName(t))
			}
		}
		for _, fn := range s.Funcs {
			out.Funcs = append(out.Funcs, e.supply(f, fn))
		}
		f.Supplies = append(f.Supplies, out)
	}
	for _, g := range e.origins.Channels() {
		e.channel(f, g)
	}
	slices.SortStableFunc(f.Channels, func(a, b Channel) int { return slices.Compare(a.Names, b.Names) })
	e.openEnds(f)
	e.types.Sort()
	f.Types = e.types
	slices.SortFunc(f.Funcs, func(a, b FuncSummary) int { return strings.Compare(a.Name, b.Name) })
}

// uses are the functions, of the package itself or of others that are analysed, that it names but for static calls of
// its own, and the methods that it calls of type parameters, each as "~Method".
func (e *engine) uses() []string {
	uses := map[string]bool{}
	for in := range flow.Instrs(e.pkg.All()...) {
		call, isCall := in.(ssa.CallInstruction)
		if isCall && call.Common().IsInvoke() {
			if _, ok := types.Unalias(call.Common().Value.Type()).(*types.TypeParam); ok {
				uses["~"+call.Common().Method.Name()] = true
			}
		}
		for _, op := range in.Operands(nil) {
			named, ok := (*op).(*ssa.Function)
			if !ok {
				continue
			}
			obj := flow.Object(named)
			if obj == nil || obj.Pkg() == nil || !e.own(obj.Pkg()) || obj.Pkg() == e.pass.Pkg && isCall &&
				op == &call.Common().Value {
				continue
			}
			uses[obj.FullName()] = true
		}
	}
	return slices.Sorted(maps.Keys(uses))
}

// openEnds notes what the functions do with locks held that takes others to judge.
func (e *engine) openEnds(f *PackageFact) {
	tests := link.OnlyTested(e.pass)
	for _, fn := range e.pkg.Funcs {
		res := e.results[fn]
		if res == nil {
			continue
		}
		if res.ForTests = len(res.Opens)+len(res.Events) > 0 && tests(flow.Decl(fn).Pos()); res.ForTests {
			continue
		}
		for i := range res.Opens {
			o := &res.Opens[i]
			e.openEnd(f, o.Instr, o.Held, Open{Call: o.Call, Passed: classes(o.passed)}, &o.Event)
		}
		for i := range res.Events {
			if o := &res.Events[i]; o.Block != nil && (o.Block.Option != "" || o.Block.Peers.known() || o.callsOut()) {
				b := o.Block
				wait := BlockEvent{
					Event: Event{At: b.At}, Kind: b.Kind, What: b.What, Peers: b.Peers, Under: b.Under,
					Option: b.Option,
					Bound:  Ref{Param: -1}, Own: Ref{Param: -1},
				}
				e.openEnd(f, o.Instr, o.Held, Open{Wait: &wait, Passed: classes(o.passed)}, &o.Block.Event)
			}
		}
	}
}

// classes are hs without access paths, which other packages cannot follow.
func classes(hs []Hold) []HeldRef {
	var out []HeldRef
	for _, h := range hs {
		if h.Class != "" {
			out = append(out, HeldRef{Ref: Ref{Param: -1, Class: h.Class}, Mode: h.Mode})
		}
	}
	return out
}

// supply adds the summary of fn to f, if it has one, and returns its name.
func (e *engine) supply(f *PackageFact, fn origin.Func) string {
	name := origin.FuncName(fn.Fn)
	if s := e.summary(fn.Fn); !s.empty() && !e.supplied[name] {
		e.supplied[name] = true
		out := FuncSummary{name, e.exported(s, nil)}
		for _, a := range s.Acquires { // for captured locks, the link phase needs the class
			if a.Lock.local != nil && a.Lock.Class != "" && !a.captured() {
				a.Lock = Ref{Param: -1, Class: a.Lock.Class}
				a.Event = exportedEvent(a.Event)
				out.Summary.Acquires = append(out.Summary.Acquires, a)
			}
		}
		f.Funcs = append(f.Funcs, out)
	}
	return name
}

// converts notes a conversion to an interface, with the methods of a type of the user's own.
func (e *engine) converts(f *PackageFact, x *ssa.MakeInterface) {
	t := x.X.Type()
	n := kubeapi.Named(t)
	if n == nil || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || !e.own(n.Obj().Pkg()) {
		return
	}
	c := link.Conversion{Type: link.TypeName(t), Iface: e.types.Interface(x.Type()), In: e.forOthers(x.Parent())}
	if _, ok := t.Underlying().(*types.Signature); ok {
		fns, _ := e.origins.FewFuncs(x.X)
		for _, fn := range fns {
			c.Func = e.supply(f, fn)
			e.types.Convert(c)
		}
		c.Func = ""
	}
	if !e.types.Convert(c) {
		return
	}
	methods := []link.Method{}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		m, ok := set.At(i).Obj().(*types.Func)
		if !ok || types.IsInterface(m.Signature().Recv().Type()) { // promoted from an embedded interface
			continue
		}
		methods = append(methods, link.Method{Name: m.Name(), Func: m.Origin().FullName()})
		if fn := e.prog.FuncValue(m.Origin()); fn != nil {
			e.supply(f, origin.Func{Fn: fn})
		}
	}
	e.types.Methods = append(e.types.Methods, link.Concrete{Type: c.Type, Methods: methods})
}

// forOthers is the function that fn is a part of, if only other packages call it; else "".
func (e *engine) forOthers(fn *ssa.Function) string {
	fn = flow.Decl(fn)
	obj := flow.Object(fn)
	if obj == nil || !obj.Exported() || obj.Signature().Recv() != nil || e.pass.Pkg.Name() == "main" ||
		len(e.pkg.Callers(fn)) > 0 {
		return ""
	}
	return obj.FullName()
}

// singleTakers are the classes that one function takes, sorted.
func singleTakers(takers map[Class][]*ssa.Function) []Class {
	var out []Class
	for c, fns := range takers {
		if len(fns) == 1 {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}

// takers are the functions of the package that take a lock, by its class.
func (e *engine) takers() map[Class][]*ssa.Function {
	takers := map[Class][]*ssa.Function{}
	for _, fn := range e.pkg.Funcs {
		for c := range flow.Calls(fn) {
			if o, ok := e.opOf(c.Common()); ok && o.action != release && o.class != "" &&
				!slices.Contains(takers[o.class], fn) {
				takers[o.class] = append(takers[o.class], fn)
			}
		}
	}
	return takers
}

// callsOut reports whether the package shows no reason why o does not end, but the link phase may: a peer makes an open
// call on its way, which may need the lock, or is called only from other packages, perhaps by none.
func (o *Occurrence) callsOut() bool {
	p := o.Block.Peers
	if p == nil || o.Block.Kind == blocking.Acquire || p.Unknown || p.None || len(p.Exits) > 0 ||
		!slices.ContainsFunc(p.Contexts, func(c Context) bool { return len(c.Opens) > 0 || c.Outside != "" }) {
		return false
	}
	return !slices.ContainsFunc(o.Held, func(h Hold) bool {
		_, needs := o.Needs(h, func(Class) bool { return true })
		return needs
	})
}

// known reports whether the link phase has to find the peers, by the names of the channel.
func (p *Peers) known() bool {
	return p != nil && p.Unknown && !p.Roomy && !p.Stray && len(p.Names) > 0
}

// channel adds the group g to f unless nothing is known about it.
func (e *engine) channel(f *PackageFact, g origin.Group) {
	o := e.peers.groups[g]
	c := Channel{Names: g.Names(), Stray: g.Stray(), Receivers: len(o[receives])}
	for _, m := range g.Makes() {
		c.Room = append(c.Room, capacity(m))
	}
	slices.Sort(c.Room)
	open := stillOpen(o[receives], o[closes])
	c.Receives, c.Sends = e.contextsOfAll(open, g), e.contextsOfAll(slices.Concat(o[sends], o[closes]), g)
	if len(open) > 0 {
		c.Exits = e.receiverExits(open, g)
	}
	if len(c.Names) > 1 || c.Stray || len(c.Room)+len(c.Receives)+len(c.Sends) > 0 {
		f.Channels = append(f.Channels, c)
	}
}

// contextsOfAll are the ways to the places of ops, which act on the group g.
func (e *engine) contextsOfAll(ops []peerOp, g origin.Group) []Context {
	var out []Context
	for _, op := range ops {
		if len(out) > maxPeers {
			break // what waits for it is judged by none
		}
		out = append(out, e.contextsOf(op, g)...)
	}
	return out
}

// openEnd notes what is done at instr with locks held, where findings are wanted.
func (e *engine) openEnd(f *PackageFact, instr ssa.Instruction, holds []Hold, out Open, ev *Event) {
	pos := flow.Pos(instr)
	if len(holds) == 0 || !rule.WantedFor(e.pass, "lockheld/blocking", pos) {
		return
	}
	fn := instr.Parent()
	out.Func, out.Name, out.At, out.Ends = flow.FuncName(fn), origin.FuncName(fn), e.at(pos), ev.At
	for _, h := range holds {
		if h.Class == "" || h.Stale || h.OfElement() || private(h.Path, fn) {
			continue
		}
		held := OpenHold{Class: h.Class, Mode: h.Mode, Name: string(h.Class), By: h.By, At: h.At}
		if h.Path.Known() {
			held.Name = h.Path.String()
		}
		if h.Site != nil {
			held.Taken = e.at(flow.Pos(h.Site))
		}
		out.Held = append(out.Held, held)
	}
	if len(out.Held) == 0 {
		return
	}
	for _, h := range ev.Hops() {
		out.Hops = append(out.Hops, Hop{Func: h.Func, At: h.At})
	}
	f.Held = append(f.Held, out)
}
