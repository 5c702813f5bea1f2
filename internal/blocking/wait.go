package blocking

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A Wait is one operation that can block.
type Wait struct {
	Kind  Kind
	What  string    // as a reader of the source would spell it: "factory.WaitForCacheSync", "send to s.out"
	Bound Bound     // for waits with a context or a stop channel
	Stop  ssa.Value // its stop channel, nil for none
	// what other goroutines of the program can do to end it; none for waits on something outside of the program
	Ends []End
	Call *ssa.CallCommon

	Running bool // it waits only while the cache that it belongs to is started
	Asked   bool // whether it waits depends on options that the function gets from its callers
}

// An End is one thing that ends a wait when another goroutine acts on it.
type End struct {
	Kind Kind // Send, Receive, Group, Cond, Acquire or Change: what the waiter does
	// the channel, wait group, condition variable, semaphore, or address of the variable that has to change
	On    ssa.Value
	Range bool // it receives until the channel is closed
}

// Of returns the wait at in. Operations that cannot block for long are excluded: a select with a default, a timer or
// a done-like case, a receive from a timer, a wait whose bound is a deadline, or one for the end of a context that
// has ended.
func (t Table) Of(in ssa.Instruction) (Wait, bool) {
	switch in := in.(type) {
	case *ssa.Send:
		return Wait{Kind: Send, What: "the send to " + flow.PathOf(in.Chan).String(), Ends: []End{{Kind: Send, On: in.Chan}}}, true
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			if ctx := DoneOf(in.X); ctx != nil && ended(ctx, in) {
				return Wait{}, false
			}
			w, ok := receive(in.X)
			if len(w.Ends) > 0 {
				w.Ends[0].Range = ranges(in)
			}
			return w, ok
		}
	case *ssa.Select:
		return selection(in)
	case ssa.CallInstruction:
		if _, spawned := in.(*ssa.Go); !spawned {
			return t.Call(in.Common())
		}
	}
	return Wait{}, false
}

func receive(ch ssa.Value) (Wait, bool) {
	if IsTimer(ch) {
		return Wait{}, false
	}
	w := Wait{Kind: Receive, What: "the receive from " + chanName(ch), Ends: []End{{Kind: Receive, On: ch}}}
	if ctx := DoneOf(ch); ctx != nil {
		w.Bound = BoundOf(ctx)
		if w.Bound.Limit == Deadline {
			return Wait{}, false
		}
		w.Kind, w.Ends = Run, nil
	}
	return w, true
}

// ranges reports whether recv is the receive of a loop that only closing the channel ends.
func ranges(recv *ssa.UnOp) bool {
	l := flow.LoopOf(recv.Block())
	if l == nil || !recv.CommaOk {
		return false
	}
	exits := l.Exits()
	return len(exits) == 1 && exits[0] == l.Header
}

func chanName(ch ssa.Value) string {
	if ctx := DoneOf(ch); ctx != nil {
		return flow.PathOf(ctx).String() + ".Done()"
	}
	return flow.PathOf(ch).String()
}

// selection returns the wait of a select that nothing bounds: no default, no timer, and no case that fires when a
// context ends. Whether another of its cases can fire, including a stop channel, is left to the callers, which know
// the other goroutines.
func selection(sel *ssa.Select) (Wait, bool) {
	if !sel.Blocking {
		return Wait{}, false
	}
	w := Wait{Kind: Select, What: "select{}"}
	for i, st := range cases(sel) {
		if st.Dir == types.RecvOnly && (IsTimer(st.Chan) || DoneOf(st.Chan) != nil) {
			return Wait{}, false
		}
		if i == 0 {
			w.What = "the select on " + chanName(st.Chan)
		}
		kind := Receive
		if st.Dir == types.SendOnly {
			kind = Send
		}
		w.Ends = append(w.Ends, End{Kind: kind, On: st.Chan})
	}
	return w, true
}

// cases returns the cases of sel, ordered by the names of their channels: a select has no order.
func cases(sel *ssa.Select) []*ssa.SelectState {
	states := slices.Clone(sel.States)
	slices.SortStableFunc(states, func(a, b *ssa.SelectState) int {
		return cmp.Or(strings.Compare(chanName(a.Chan), chanName(b.Chan)), cmp.Compare(a.Dir, b.Dir))
	})
	return states
}

// IsTimer reports whether ch carries times, as timers, tickers and time.After do.
func IsTimer(ch ssa.Value) bool {
	c, ok := ch.Type().Underlying().(*types.Chan)
	return ok && kubeapi.IsType(c.Elem(), "time", "Time")
}

// IsDone reports whether ch is a channel that signals the end of work: a context's, or a channel of struct{}.
func IsDone(ch ssa.Value) bool { return DoneOf(ch) != nil || IsBound(ch.Type()) }

// DoneOf returns the context whose Done channel ch is, or nil.
func DoneOf(ch ssa.Value) ssa.Value {
	if c, ok := flow.Resolve(ch).(*ssa.Call); ok {
		if fn := flow.Callee(&c.Call); fn != nil && fn.Name() == "Done" {
			if r := flow.Recv(&c.Call); r != nil && kubeapi.IsContext(r.Type()) {
				return r
			}
		}
	}
	return nil
}

// Call returns the wait of a call, by the table.
func (t Table) Call(call *ssa.CallCommon) (Wait, bool) {
	w, ok := t.timed(call, flow.Callee(call))
	return w, ok && w.Bound.Limit != Deadline
}

// timed is like Call, but includes the waits that have a deadline.
func (t Table) timed(call *ssa.CallCommon, fn *types.Func) (Wait, bool) {
	e, ok := t.lookup(fn)
	if !ok {
		return Wait{}, false
	}
	args := flow.Args(call)
	w := Wait{Kind: e.kind, What: callName(call, fn), Call: call, Running: kubeapi.GetsInformer(fn)}
	if w.Running {
		if withoutSync(args) {
			return Wait{}, false
		}
		_, w.Asked = args[len(args)-1].(*ssa.Parameter)
	}
	if e.bound >= 0 && e.bound < len(args) && IsBound(args[e.bound].Type()) {
		w.Bound = BoundOf(args[e.bound])
		if _, ok := args[e.bound].Type().Underlying().(*types.Chan); ok {
			w.Stop = args[e.bound]
		}
	} else if e.bound < 0 && e.kind == Poll {
		w.Bound = Bound{Limit: Never, Why: "it takes neither a timeout nor a context"}
	}
	switch e.kind {
	case Group, Cond, Acquire:
		w.Ends = []End{{Kind: e.kind, On: flow.Recv(call)}}
	case Process:
		if commandHasContext(flow.Recv(call)) {
			w.Bound = Bound{Limit: Deadline} // whatever its context is
		}
	}
	return w, true
}

// withoutSync reports whether one of args, the options of an informer included, turns waiting off.
func withoutSync(args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	return slices.ContainsFunc(flow.Elements(args[len(args)-1]), func(option ssa.Value) bool {
		c, ok := flow.Unwrap(option).(*ssa.Call)
		if !ok || !kubeapi.UntilSynced.Has(flow.Callee(&c.Call)) {
			return false
		}
		k, ok := c.Call.Args[0].(*ssa.Const)
		return !ok || k.Value != nil && !constant.BoolVal(k.Value)
	})
}

func callName(call *ssa.CallCommon, fn *types.Func) string {
	if r := flow.Recv(call); r != nil {
		name := flow.PathOf(r).String()
		if strings.HasPrefix(name, "a ") {
			name = kubeapi.RecvName(fn)
		}
		return name + "." + fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// commandHasContext reports whether cmd was made by exec.CommandContext, or its construction is not known.
func commandHasContext(cmd ssa.Value) bool {
	c, ok := flow.Resolve(cmd).(*ssa.Call)
	if !ok {
		return true
	}
	return !kubeapi.Symbol{Pkg: "os/exec", Name: "Command"}.Is(flow.Callee(&c.Call))
}
