package lock

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// A read or write is a round trip if the stream ends at another machine. If a function is passed its stream, the event
// names the parameter, and each caller decides.

// stream records that the call at reads or writes a stream.
func (in *interp) stream(at ssa.CallInstruction, s *state) {
	st, ok := blocking.StreamOf(at)
	if !ok {
		return
	}
	x := SlowEvent{
		Event: in.e.event(at),
		Slow: blocking.Slow{
			Kind: blocking.IO, What: in.e.spelled(at.Pos(), st.What), Because: "waits for the other end of the connection",
		},
	}
	if !st.Remote {
		r, ok := refOf(in.fn, flow.Path{Root: st.Param}, "")
		if !ok {
			return
		}
		x.Over = &r
	}
	in.recordSlow(SlowOccurrence{at, s.held, x}, s.dropped)
}

// over substitutes the argument for the stream of a callee's event x. It reports whether the event can be slow.
func (in *interp) over(x *SlowEvent, a actuals) bool {
	r := x.Over
	var v ssa.Value
	switch {
	case r.local != nil && a.local == nil:
		v = r.local
	case r.local == nil && r.Param >= 0 && r.Param < len(a.args):
		v = a.args[r.Param]
	}
	remote, p := blocking.Remote(v)
	x.Over = nil
	if remote || p == nil {
		return remote
	}
	up, ok := refOf(in.fn, flow.Path{Root: p}, "")
	x.Over = &up
	return ok
}
