package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A lock that one site acquires, which one goroutine for each object executes, is uncontended: holding it across a
// wait blocks no other goroutine.

// uncontended maps each acquisition of an uncontended lock to the exported functions that would make it contended if
// another package called them. The lock is in an unexported field that the package only locks and unlocks, at one
// site, and the site is reached from one go statement, beside the allocation of the object.
func (e *engine) uncontended() map[ssa.Instruction][]string {
	out := map[ssa.Instruction][]string{}
	for _, sites := range e.acquisitionSites() {
		if len(sites) != 1 {
			continue
		}
		if beyond, ok := e.oneGoroutine(sites[0]); ok {
			out[sites[0]] = beyond
		}
	}
	return out
}

// acquisitionSites are the calls that take the locks in fields of which the package does nothing else than to lock and
// unlock them.
func (e *engine) acquisitionSites() map[*types.Var][]*ssa.Call {
	sites, others := map[*types.Var][]*ssa.Call{}, map[*types.Var]bool{}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.FieldAddr:
			f := flow.Field(x.X.Type(), x.Field)
			if f == nil || f.Pkg() != e.pass.Pkg || f.Exported() || !isValueLock(f.Type()) {
				return
			}
			f = f.Origin()
			for _, r := range *x.Referrers() {
				if !e.isLockOperation(x, r) {
					others[f] = true
				} else if call, ok := r.(*ssa.Call); ok && e.isAcquisition(call) {
					sites[f] = append(sites[f], call)
				}
			}
		case *ssa.Field:
			if f := flow.Field(x.X.Type(), x.Field); f != nil {
				others[f.Origin()] = true
			}
		}
	})
	for f := range others {
		delete(sites, f)
	}
	return sites
}

// isValueLock reports whether t is a lock of package sync, and not where one is.
func isValueLock(t types.Type) bool {
	_, isPointer := types.Unalias(t).(*types.Pointer)
	return !isPointer && (kubeapi.IsType(t, "sync", "Mutex") || kubeapi.IsType(t, "sync", "RWMutex"))
}

// isLockOperation reports whether in, which uses the address of a lock, stores the zero value there, unlocks it, or
// acquires it in a plain call.
func (e *engine) isLockOperation(addr *ssa.FieldAddr, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		_, zero := in.Val.(*ssa.Const)
		return in.Addr == ssa.Value(addr) && zero
	case ssa.CallInstruction:
		o, ok := e.opOf(in.Common())
		if !ok || flow.Recv(in.Common()) != ssa.Value(addr) {
			return false
		}
		_, call := in.(*ssa.Call)
		return o.action == release || call
	}
	return false
}

// isAcquisition reports whether call takes a lock.
func (e *engine) isAcquisition(call *ssa.Call) bool {
	o, ok := e.opOf(&call.Call)
	return ok && o.action != release
}

// oneGoroutine reports whether one goroutine for each object executes site, which acquires the object's lock: all calls
// that lead there are in methods of the object, up to one go statement. It returns the exported functions on the way,
// which another package may call.
func (e *engine) oneGoroutine(site *ssa.Call) (beyond []string, ok bool) {
	addr := flow.Recv(&site.Call).(*ssa.FieldAddr)
	if !isReceiver(addr.X, site.Parent()) {
		return nil, false
	}
	var starts []*ssa.Go
	seen := map[*ssa.Function]bool{}
	var climb func(fn *ssa.Function) bool
	climb = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		if fn.Parent() != nil {
			return inPlace(fn) && climb(fn.Parent())
		}
		callers := e.origins.Callers(fn)
		if obj := flow.Object(fn); obj == nil || len(callers) == 0 || e.handedOut(fn) {
			return false
		} else if obj.Exported() {
			beyond = append(beyond, obj.FullName())
		}
		return !slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool {
			switch c := c.(type) {
			case *ssa.Go:
				starts = append(starts, c)
				return flow.StaticCallee(&c.Call) != fn
			case *ssa.Call:
				return flow.StaticCallee(&c.Call) != fn || !isReceiver(flow.Recv(&c.Call), c.Parent()) ||
					!climb(c.Parent())
			}
			return true
		})
	}
	ok = climb(site.Parent()) && len(starts) == 1 && !e.cfg.inLoop(starts[0].Block()) && e.allocatedWithStart(starts[0])
	return beyond, ok
}

// isReceiver reports whether v, in fn, is the object of the method that fn is, or is a literal of.
func isReceiver(v ssa.Value, fn *ssa.Function) bool {
	decl := flow.Decl(fn)
	return v != nil && decl.Signature.Recv() != nil && len(decl.Params) > 0 &&
		flow.Resolve(v) == ssa.Value(decl.Params[0])
}

// allocatedWithStart reports whether the function with the go statement also allocates the object whose method it runs,
// so that each execution starts the goroutine of another object.
func (e *engine) allocatedWithStart(start *ssa.Go) bool {
	v := flow.Recv(&start.Call)
	if v == nil {
		return false
	}
	v = flow.Resolve(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok {
			v = e.onlyStored(g, start)
		}
	}
	if v == nil {
		return false
	}
	made, ok := e.allocation(v)
	return ok && made.Parent() == start.Parent()
}

// onlyStored is the one value that the package stores in the unexported g, if the store dominates at; nil otherwise.
func (e *engine) onlyStored(g *ssa.Global, at ssa.Instruction) ssa.Value {
	if g.Object() == nil || g.Object().Exported() {
		return nil
	}
	var one *ssa.Store
	ok := true
	e.eachInstr(func(in ssa.Instruction) {
		if store, isStore := in.(*ssa.Store); isStore && store.Addr == ssa.Value(g) {
			ok = ok && one == nil
			one = store
			return
		}
		for _, op := range in.Operands(nil) {
			if load, isLoad := in.(*ssa.UnOp); *op == ssa.Value(g) && (!isLoad || load.X != ssa.Value(g)) {
				ok = false
			}
		}
	})
	if !ok || one == nil || one.Parent() != at.Parent() || !flow.Dominates(one, at) {
		return nil
	}
	return flow.Resolve(one.Val)
}
