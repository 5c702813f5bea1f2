package blocking

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// hands asks whether what can end a wait (a channel to close, a function to call) is still in the hands of the very
// function that waits: whatever gets it later, or when the function returns, comes too late.
type hands struct {
	b     *Bounds
	at    ssa.Instruction // the wait, nil for any of the function
	group origin.Group    // the channel, unknown for a cancel function
	field *types.Var      // the field that a cancel function was put into
	seen  map[ssa.Value]bool

	inClosure bool // it may have run to its end, deferred calls included: nothing there is too late
}

// cannotCancel reports whether the cancel function that call, a context.WithCancel, gives cannot be called before the
// wait at is over: it is dropped, only deferred, or kept in an object that nobody else has yet.
func (b *Bounds) cannotCancel(call *ssa.Call, at ssa.Instruction) bool {
	if at != nil && call.Parent() != at.Parent() {
		at = nil
	}
	h := hands{b: b, at: at, seen: map[ssa.Value]bool{}}
	cancel := flow.ResultAt(call, 1)
	return cancel == nil || h.keep(cancel)
}

// keep reports whether no use of v before the wait can end it.
func (h *hands) keep(v ssa.Value) bool {
	if h.seen[v] || receiveOnly(v.Type()) { // whoever gets that from here on can neither close it nor send
		return true
	}
	h.seen[v] = true
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		if !h.tooLate(r) && !h.harmless(r, v) {
			return false
		}
	}
	return true
}

func receiveOnly(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() == types.RecvOnly
}

// tooLate reports whether r runs only after the wait: it is deferred by the function that waits, or not on the way.
func (h *hands) tooLate(r ssa.Instruction) bool {
	if _, ok := r.(*ssa.Defer); ok {
		return h.at == nil && !h.inClosure || h.at != nil && r.Parent() == h.at.Parent()
	}
	return h.at != nil && r.Parent() == h.at.Parent() && !flow.Reaches(r, h.at, nil)
}

func (h *hands) harmless(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.UnOp, *ssa.BinOp: // a receive, a comparison
		return true
	case *ssa.ChangeType:
		return h.keep(r)
	case *ssa.Select:
		return !slices.ContainsFunc(r.States, func(st *ssa.SelectState) bool { return st.Chan == v && st.Dir == types.SendOnly })
	case *ssa.Store:
		if r.Val != v {
			return false
		}
		switch a := r.Addr.(type) {
		case *ssa.Alloc: // a variable that closures share
			return h.variable(a)
		case *ssa.FieldAddr:
			if f := flow.Field(a.X.Type(), a.Field); f != nil && !h.group.Known() {
				if h.field = f.Origin(); h.b.unread(h.field) {
					return true
				}
			}
			obj, ok := flow.Resolve(a.X).(*ssa.Alloc)
			return ok && h.b.pkg != nil && h.at != nil && obj.Parent() == r.Parent() && h.object(obj)
		}
	case *ssa.MakeClosure: // a captured value
		return h.captured(r, v)
	case ssa.CallInstruction:
		fn := h.b.own(flow.StaticCallee(r.Common()))
		return fn != nil && h.group.Known() && !leaves(h.group) && !h.ends(fn)
	}
	return false
}

// unread reports whether f is a field that only the package can name, and that nobody reads.
func (b *Bounds) unread(f *types.Var) bool {
	if b.pkg == nil || f.Exported() || f.Pkg() != b.pkg.Pkg {
		return false
	}
	p := b.stores().fields[f]
	return p != nil && !p.shared && len(p.loads) == 0
}

// variable looks at the uses of a variable that holds what ends the wait.
func (h *hands) variable(addr ssa.Value) bool {
	if h.seen[addr] {
		return true
	}
	h.seen[addr] = true
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
		case *ssa.UnOp:
			if !h.tooLate(r) && !h.keep(r) {
				return false
			}
		case *ssa.MakeClosure:
			if !h.tooLate(r) && !h.captured(r, addr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// captured looks at a closure that has v: it is harmless where it is only deferred, or where its body, whenever it may
// run, does not end the wait.
func (h *hands) captured(mc *ssa.MakeClosure, v ssa.Value) bool {
	onlyDeferred := !slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool {
		d, ok := r.(*ssa.Defer)
		return !ok || d.Call.Value != ssa.Value(mc)
	})
	if onlyDeferred && !h.inClosure {
		return true
	}
	fn := mc.Fn.(*ssa.Function)
	if fn.Synthetic != "" { // a bound method: its receiver holds what ends the wait
		return false
	}
	for i, b := range mc.Bindings {
		if b != v {
			continue
		}
		inner := hands{b: h.b, group: h.group, field: h.field, seen: h.seen, inClosure: true}
		fv := fn.FreeVars[i]
		if _, ptr := fv.Type().Underlying().(*types.Pointer); ptr && !inner.variable(fv) || !ptr && !inner.keep(fv) {
			return false
		}
	}
	return true
}

// object looks at the uses, before the wait, of an object that this function made and that holds what ends the wait.
func (h *hands) object(obj ssa.Value) bool {
	if h.seen[obj] {
		return true
	}
	h.seen[obj] = true
	for _, r := range *obj.Referrers() {
		if !h.tooLate(r) && !h.withObject(r, obj) {
			return false
		}
	}
	return true
}

func (h *hands) withObject(r ssa.Instruction, obj ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.FieldAddr:
		return true
	case *ssa.UnOp: // a copy of the object, or the object out of its variable
		return h.object(r)
	case *ssa.Store:
		if r.Val != obj {
			return true // the variable is filled
		}
		a, ok := r.Addr.(*ssa.Alloc)
		return ok && h.object(a)
	case *ssa.MakeClosure:
		fn := r.Fn.(*ssa.Function)
		if own := h.b.own(fn); own != nil {
			fn = own
		}
		return !h.ends(fn)
	case ssa.CallInstruction:
		fn := h.b.own(flow.StaticCallee(r.Common()))
		return fn != nil && !h.ends(fn)
	}
	return false
}

// ends reports whether fn, or what it runs, starts or makes, may end the wait.
func (h *hands) ends(fn *ssa.Function) bool {
	s := h.b.stores()
	bad := s.firers[h.group]
	if leaves(h.group) {
		return true
	}
	if p := s.fields[h.field]; h.field != nil && p != nil {
		bad = append(bad[:len(bad):len(bad)], p.loads...)
	}
	if !h.group.Known() && h.field == nil {
		return true
	}
	reached := h.b.Reach(fn)
	return slices.ContainsFunc(bad, func(f *ssa.Function) bool { return reached[f] })
}
