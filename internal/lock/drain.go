package lock

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Drains: waits for an object without operations in progress (see blocking.DrainOf) end when the functions that are
// registered on it return, or the workers of a queue call Done. A drain is identified by the variable or field with the
// object.

// A drain is what ends the waits for one such object.
type drain struct {
	ends []peerOp // the ends of registered functions, and calls of Done
	gets []peerOp // where a worker acquires an item
}

func (ix *peerIndex) drainOf(c Class) *drain {
	if ix.drains[c] == nil {
		ix.drains[c] = &drain{}
	}
	return ix.drains[c]
}

// indexDrain notes what in, a call of callee, has under way on recv, or registers there.
func (e *engine) indexDrain(ix *peerIndex, in ssa.CallInstruction, callee *types.Func, recv ssa.Value) {
	if recv == nil {
		return
	}
	op, call := peerOp{in.Parent(), in}, in.Common()
	register := func(on ssa.Value, args ...ssa.Value) {
		for _, c := range classesOf(on) {
			d := ix.drainOf(c)
			for _, a := range args {
				for _, fn := range e.registered(a) {
					d.ends = append(d.ends, peerOp{fn, nil})
				}
			}
		}
	}
	switch name, queued := callee.Name(), kubeapi.QueueOpOf(callee); {
	case queued == kubeapi.QueueGet || queued == kubeapi.QueueDone:
		for _, c := range classesOf(recv) {
			d := ix.drainOf(c)
			if queued == kubeapi.QueueGet {
				d.gets = append(d.gets, op)
			} else {
				d.ends = append(d.ends, op)
			}
		}
	case kubeapi.AddsEventHandler(callee):
		register(factoryOf(recv), flow.Args(call)...)
	case callee.Pkg().Path() == "net/http" && (name == "Handle" || name == "HandleFunc"):
		register(recv, flow.Args(call)...)
	}
}

// setsHandler reports whether st sets the handler of a server.
func setsHandler(st *ssa.Store) bool {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || !kubeapi.IsType(fa.X.Type(), "net/http", "Server") {
		return false
	}
	f := flow.Field(fa.X.Type(), fa.Field)
	return f != nil && f.Name() == "Handler"
}

// indexServer adds the handler that st sets to the drain of the server.
func (e *engine) indexServer(ix *peerIndex, st *ssa.Store) {
	for _, c := range classesOf(st.Addr.(*ssa.FieldAddr).X) {
		d := ix.drainOf(c)
		for _, fn := range e.registered(st.Val) {
			d.ends = append(d.ends, peerOp{fn, nil})
		}
		for _, mux := range classesOf(flow.Unwrap(st.Val)) { // which has handlers of its own
			for _, m := range ix.drainsOf(mux) {
				d.ends = append(d.ends, m.ends...)
			}
		}
	}
}

// factoryOf is the receiver at the start of the call chain that returns the informer v; v itself without calls.
func factoryOf(v ssa.Value) ssa.Value {
	for {
		c, ok := flow.Resolve(v).(*ssa.Call)
		if !ok {
			return v
		}
		recv := flow.Recv(&c.Call)
		if recv == nil {
			return v
		}
		v = recv
	}
}

// classesOf are the variables and fields that have the object v.
func classesOf(v ssa.Value) (out []Class) {
	if v == nil {
		return nil
	}
	if c := drainClass(v); c != "" {
		return []Class{c}
	}
	work := values.From(flow.Resolve(v))
	for x := range work.All() {
		for r := range flow.Referrers[ssa.Instruction](x) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Val != x {
					continue
				}
				if c := drainClass(r.Addr); c != "" {
					out = append(out, c)
				}
			case *ssa.MakeInterface, *ssa.ChangeInterface:
				work.Add(r.(ssa.Value))
			}
		}
	}
	return out
}

// drainClass is the class of the object at v, with the object around the one that has it.
func drainClass(v ssa.Value) Class {
	c := classOf(v)
	v = flow.Resolve(v)
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	if fa, ok := v.(*ssa.FieldAddr); ok {
		return c.within(fa.X)
	}
	return c
}

// drainsOf are those of the objects that an object of class c may be, in the order of their classes.
func (ix *peerIndex) drainsOf(c Class) (out []*drain) {
	for _, k := range slices.Sorted(maps.Keys(ix.drains)) {
		if k.same(c) {
			out = append(out, ix.drains[k])
		}
	}
	return out
}

// registered are the functions of the package that the holder of v can call: v itself, those in the fields of the
// library struct that it is, and the methods of the interface that it is converted to.
func (e *engine) registered(v ssa.Value) []*ssa.Function {
	return e.registeredIn(v, map[ssa.Value]bool{})
}

func (e *engine) registeredIn(v ssa.Value, seen map[ssa.Value]bool) (out []*ssa.Function) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	if f := flow.FuncValue(v); f != nil {
		if m, ok := f.Object().(*types.Func); ok && f.Synthetic != "" {
			f = e.pkg.Prog.FuncValue(m)
		}
		if f != nil && f.Pkg == e.pkg.Package && len(f.Blocks) > 0 {
			out = append(out, f)
		}
		return out
	}
	switch x := v.(type) {
	case *ssa.ChangeType:
		return e.registeredIn(x.X, seen)
	case *ssa.MakeInterface:
		out = e.registeredIn(x.X, seen)
		iface, ok := x.Type().Underlying().(*types.Interface)
		if !ok {
			return out
		}
		for m := range iface.Methods() {
			if sel := e.pkg.Prog.MethodSets.MethodSet(x.X.Type()).Lookup(m.Pkg(), m.Name()); sel != nil {
				if fn := e.pkg.Prog.FuncValue(sel.Obj().(*types.Func)); fn != nil && fn.Pkg == e.pkg.Package &&
					len(fn.Blocks) > 0 {
					out = append(out, fn)
				}
			}
		}
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok {
			return e.registeredIn(a, seen)
		}
	case *ssa.Alloc:
		if n := kubeapi.Named(x.Type()); n == nil || n.Obj().Pkg() == e.pass.Pkg {
			return nil // what an object of one's own has, its methods use
		}
		for _, r := range *x.Referrers() {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for _, r := range *fa.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == fa {
					out = append(out, e.registeredIn(st.Val, seen)...)
				}
			}
		}
	}
	return out
}

// resolveDrain adds the operations in progress on the object of end to p. Whether there are any when the wait begins is
// unknown.
func (e *engine) resolveDrain(p *Peers, end blocking.End) {
	p.Any, p.None, p.MayBeReady = true, false, true
	for _, c := range classesOf(end.On) {
		for _, d := range e.peers.drainsOf(c) {
			shares := e.sitesLeadingTo(d.gets)
			for _, op := range d.ends {
				if op.instr != nil && len(shares.at[op.fn]) == 0 {
					continue // it does not show where the item was acquired
				}
				p.Contexts = append(p.Contexts,
					e.lift(e.extend(Context{shares: shares, At: e.atOp(op)}, op, nil), op.fn, nil, maxLift)...)
			}
		}
	}
}

// awaited are the functions that have to return before the channel ch, the result of a call, has a value. The call may
// start them.
func (e *engine) awaited(ch ssa.Value) []*ssa.Function {
	c, ok := flow.Resolve(ch).(*ssa.Call)
	doChan := kubeapi.Symbol{Pkg: "golang.org/x/sync/singleflight", Recv: "Group", Name: "DoChan"}
	if !ok || !doChan.Is(flow.Callee(&c.Call)) {
		return nil
	}
	return e.registered(flow.Args(&c.Call)[1])
}
