package blocking

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/values"
)

// beforeWait determines whether code that can run before a wait is over may end it. What may end the wait (a channel to
// close, a cancel function to call) is followed through the uses in the function that waits: a use that runs after
// the wait, or when the function returns, cannot end it.
type beforeWait struct {
	b     *Bounds
	home  *ssa.Function   // the function
	at    ssa.Instruction // the wait, nil for any of the function
	group origin.Group    // the channel, unknown for a cancel function
	field *types.Var      // the field that a cancel function is stored in

	returned bool // the function may have returned before the wait, with its deferred calls: nothing is too late
}

// cannotCancel reports whether the cancel function that call, a context.WithCancel, returns cannot be called before
// the wait at is over: it is dropped, only deferred, or stored in an object that no other code has yet.
func (b *Bounds) cannotCancel(call *ssa.Call, at ssa.Instruction) bool {
	if at != nil && call.Parent() != at.Parent() {
		at = nil
	}
	h := beforeWait{b: b, home: call.Parent(), at: at}
	cancel := flow.ResultAt(call, 1)
	return cancel == nil || h.keep(cancel)
}

// keep reports whether no use of v before the wait can end it.
func (h *beforeWait) keep(v ssa.Value) bool {
	work := values.From(v)
	work.Skip = h.tooLate
	for r, v := range work.Uses() {
		if !ReceiveOnly(v.Type()) && !h.harmless(r, v) { // a receive-only channel can neither be closed nor sent on
			return false
		}
	}
	return true
}

// ReceiveOnly reports whether t is a channel type that only allows receiving.
func ReceiveOnly(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() == types.RecvOnly
}

// tooLate reports whether r runs only after the wait: the function defers it, or control does not reach the wait from
// r.
func (h *beforeWait) tooLate(r ssa.Instruction) bool {
	if h.returned || r.Parent() != h.home {
		return false
	}
	_, deferred := r.(*ssa.Defer)
	literal, ok := r.(*ssa.MakeClosure)
	return deferred || ok && flow.OnlyDeferred(literal) || h.at != nil && !flow.Reaches(r, h.at, nil)
}

func (h *beforeWait) harmless(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.UnOp, *ssa.BinOp: // a receive, a comparison
		return true
	case *ssa.Select:
		return !slices.ContainsFunc(r.States, func(st *ssa.SelectState) bool { return st.Chan == v && st.Dir == types.SendOnly })
	case *ssa.Store:
		a, ok := r.Addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		if f := flow.Field(a.X.Type(), a.Field); f != nil && !h.group.Known() {
			if h.field = f.Origin(); h.b.unread(h.field) {
				return true
			}
		}
		obj, ok := flow.Resolve(a.X).(*ssa.Alloc)
		return ok && h.b.pkg != nil && h.at != nil && obj.Parent() == r.Parent() && h.object(obj)
	case ssa.CallInstruction:
		fn := h.b.own(flow.StaticCallee(r.Common()))
		return fn != nil && h.group.Known() && !leaves(h.group) && !h.ends(fn)
	}
	return false
}

// unread reports whether f is a field that only the package can name, and that no code reads.
func (b *Bounds) unread(f *types.Var) bool {
	if b.pkg == nil || f.Exported() || f.Pkg() != b.pkg.Pkg {
		return false
	}
	p := b.stores().fields[f]
	return p != nil && !p.shared && len(p.loads) == 0
}

// object reports whether no use, before the wait, of an object that this function made and that holds what may end
// the wait can end it.
func (h *beforeWait) object(obj ssa.Value) bool {
	work := values.From(obj)
	work.Skip = h.tooLate
	for r := range work.Uses() {
		fn := r.Parent()
		switch r := r.(type) {
		case *ssa.FieldAddr:
		case *ssa.MakeClosure:
			fn = r.Fn.(*ssa.Function)
		case ssa.CallInstruction:
			if fn = h.b.own(flow.StaticCallee(r.Common())); fn == nil {
				return false
			}
		default:
			return false
		}
		if own := h.b.own(fn); own != nil {
			fn = own
		}
		if fn != h.home && h.ends(fn) {
			return false
		}
	}
	return true
}

// ends reports whether fn, or a function that it runs, starts or makes, may end the wait.
func (h *beforeWait) ends(fn *ssa.Function) bool {
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
