package unboundedsync

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A harm is what is in sight of who is worse off for a wait that nothing ends.
type harm int

const (
	noHarm  harm = iota // nobody: the process has nothing else to do, and its end ends the wait
	deafly              // who asks for an end of it: something that could end it is at hand, or the signals to the process no longer do
	repeats             // who comes to it again and again: a worker, a handler, what is done for an object
)

// harms is what is in sight of who is worse off for the wait at s, which nothing ends: it comes again and again, or, where near
// is set, the function, or one that waits for it, has something at hand that could end the wait, or has asked for signals before. The
// doors are the functions by which others come to it.
func (c *checker) harms(s site, near bool) (conditions []link.Condition, found harm) {
	first := s.at
	c.climb(s, func(s site) bool {
		fn := s.at.Parent()
		if c.isProbe(fn) {
			return false
		}
		if c.again(fn) || kubeapi.TakesObject(fn) || (s.at != first || !near) && inEndless(s.at.Block()) {
			found = repeats
			return false
		}
		if before, _ := c.signals(s.at); near && s.waits && (before || c.atHand(s.at)) {
			found = max(found, deafly)
		}
		if near && (s.at == first || s.waits) && asksForLess(fn) {
			by, ends := c.stoppedBy(fn, map[*ssa.Function]bool{})
			conditions = appendNew(conditions, by...)
			if ends {
				found = max(found, deafly)
			}
		}
		if obj := flow.Object(fn); obj != nil && obj.Exported() && fn.Parent() == nil {
			conditions = appendNew(conditions, link.Condition{Kind: repeated, Of: obj.FullName()})
		}
		return found != repeats
	})
	return conditions, found
}

// inEndless reports whether b is in a loop without a condition, which goes on for as long as the process does.
func inEndless(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(flow.Loops(b.Parent()), func(l *flow.Loop) bool { return l.Blocks[b] && flow.OfEndless(l.Header) })
}

// atHand reports whether the function of call has something that could end a wait at it, beside what its caller gives: its object has it, or
// it waits for that itself.
func (c *checker) atHand(call ssa.CallInstruction) bool {
	return c.owned(call.Parent()) || c.heeds(call)
}

// asksForLess reports whether the caller of fn, or of the function that it stands in, gives it something to end what it does.
func asksForLess(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return blocking.IsBound(p.Type()) }) {
			return true
		}
	}
	return false
}

// owned reports whether the object that fn, or the function that it stands in, is a method of has a context, or a channel that the package closes.
func (c *checker) owned(fn *ssa.Function) bool {
	fn = flow.Decl(fn)
	if fn.Signature.Recv() == nil {
		return false
	}
	t := flow.Pointee(fn.Params[0].Type())
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if kubeapi.IsContext(f.Type()) && c.bounds.OfField(t, i).Limit != blocking.Never {
			return true
		}
		if u := c.fieldChans()[f.Origin()]; blocking.IsBound(f.Type()) && u != nil && len(u.closes) > 0 {
			return true
		}
	}
	return false
}

// heeds reports whether the function of call receives from a stop channel or context that may fire, and that it has before call, beside what its caller gives.
func (c *checker) heeds(call ssa.CallInstruction) bool {
	fires := func(ch ssa.Value) bool {
		from := ch
		if ctx := blocking.DoneOf(ch); ctx != nil {
			from = ctx
		}
		made, inside := flow.PathOf(from).Root.(ssa.Instruction)
		limit := c.bounds.Of(ch, nil).Limit
		return blocking.IsBound(ch.Type()) && limit != blocking.Never && limit != blocking.Parameter && (!inside || flow.Reaches(made, call, nil))
	}
	for in := range flow.Instrs(call.Parent()) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW && fires(in.X) {
				return true
			}
		case *ssa.Select:
			if slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && fires(s.Chan) }) {
				return true
			}
		}
	}
	return false
}

// isProbe reports whether fn is a health check: who asks it gives up after a time of its own, and asks again.
func (c *checker) isProbe(fn *ssa.Function) bool {
	sig := fn.Signature
	return sig.Params().Len() == 1 && kubeapi.IsType(sig.Params().At(0).Type(), "net/http", "Request") && sig.Results().Len() == 1 && flow.ErrorResult(sig) == 0 ||
		servesHTTP(fn) && c.onlyWaits(fn)
}

// onlyWaits reports whether fn, a handler of HTTP, does not look at the request, and does nothing but wait, log and write constants: all that its client
// learns from it is how the wait went.
func (c *checker) onlyWaits(fn *ssa.Function) bool {
	writer, request := fn.Params[len(fn.Params)-2], fn.Params[len(fn.Params)-1]
	if len(*request.Referrers()) > 0 {
		return false
	}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
			return false
		case *ssa.Store:
			if _, argument := in.Addr.(*ssa.IndexAddr); !argument {
				return false
			}
		case ssa.CallInstruction:
			if !kubeapi.Logs(flow.Callee(in.Common())) && len(c.waits(in)) == 0 && len(given(in, writer)) > 0 {
				return false
			}
		}
	}
	return true
}

// given are the arguments of call but writer that are not written out.
func given(call ssa.CallInstruction, writer *ssa.Parameter) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(flow.Args(call.Common())), func(a ssa.Value) bool {
		a = flow.Unwrap(a)
		if conv, ok := a.(*ssa.Convert); ok {
			a = conv.X
		}
		_, written := a.(*ssa.Const)
		return written || a == ssa.Value(writer)
	})
}
