package startctx

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// An endedWatch is a receive from the channel of a watch of the API server, as it finds that when the server has ended the watch: closed, so that it
// gives at once an event without a type and without an object.
type endedWatch struct {
	c     *checker
	recv  ssa.Instruction // the receive, or the select that it is a case of
	value int             // the index of the event in the result of a select
	seen  map[*ssa.Function]bool
	asked map[*ssa.Alloc]bool // the variables of which one is about to know
}

// watchGoesOn reports whether the receive recv, of case i where it is a select, from the channel ch of a watch comes back to itself at once when the server
// has ended the watch, on each way that the code can go with the event without an object, without a pause and without a new watch. A wait with an end
// of its own spins for a time only.
func (c *checker) watchGoesOn(recv ssa.Instruction, i int, ch ssa.Value, next []*ssa.BasicBlock) bool {
	if !sameWatch(ch, recv.Block()) {
		return false
	}
	e := endedWatch{c, recv, 0, map[*ssa.Function]bool{}, map[*ssa.Alloc]bool{}}
	if choice, ok := recv.(*ssa.Select); ok {
		if c.timed(choice, i) {
			return false
		}
		e.value = eventIndex(choice, i)
	} else {
		next = e.next(recv.Block())
	}
	return e.comesBack(next)
}

// sameWatch reports whether ch is the channel of a watch, which client-go or who stands behind its interface closes when the watch has ended, and which is
// the same one in each turn of the loop of at: one in a field others may replace.
func sameWatch(ch ssa.Value, at *ssa.BasicBlock) bool {
	call, ok := flow.Resolve(ch).(*ssa.Call)
	if !ok {
		return false
	}
	fn := flow.Callee(&call.Call)
	if !(kube.Symbol{Pkg: "k8s.io/apimachinery/pkg/watch", Recv: "Interface", Name: "ResultChan"}).Is(fn) &&
		!(kube.Symbol{Pkg: "k8s.io/client-go/tools/watch", Recv: "RetryWatcher", Name: "ResultChan"}).Is(fn) {
		return false
	}
	if stable(call, at) {
		return true
	}
	watch := flow.Unwrap(flow.Recv(&call.Call))
	if load, ok := watch.(*ssa.UnOp); ok && load.Op == token.MUL {
		if watch = flow.SingleStore(load.X); watch == nil {
			return false
		}
	}
	return stable(watch, at)
}

// timed reports whether another case than i of the choice comes after a time: of a timer that is not made anew in each turn, or of a context with a deadline.
func (c *checker) timed(choice *ssa.Select, i int) bool {
	for j, s := range choice.States {
		timer := blocking.IsTimer(s.Chan)
		if j != i && (timer && stable(s.Chan, choice.Block()) || !timer && c.bounds.Of(s.Chan, choice).Limit == blocking.Deadline) {
			return true
		}
	}
	return false
}

// leftBeside reports whether another case than i of recv, a select, may leave its loop: that of a timer which is made anew in each turn has no time to come.
func leftBeside(recv ssa.Instruction, i int) bool {
	choice, ok := recv.(*ssa.Select)
	if !ok {
		return false
	}
	for j, s := range choice.States {
		if body := flow.CaseOf(choice, j); j != i && body != nil && !flow.BlocksFrom(body)[choice.Block()] && !blocking.IsTimer(s.Chan) {
			return true
		}
	}
	return false
}

// eventIndex is the index of what case i of the choice has received in its result.
func eventIndex(choice *ssa.Select, i int) int {
	index := 2 // behind the number of the case and whether the channel is open
	for _, s := range choice.States[:i] {
		if s.Dir == types.RecvOnly {
			index++
		}
	}
	return index
}

// comesBack reports whether each way from the blocks comes back to the receive.
func (e *endedWatch) comesBack(from []*ssa.BasicBlock) bool {
	target := e.recv.Block()
	cycle, seen := flow.BlocksTo(target), map[*ssa.BasicBlock]bool{target: true}
	var leaves func(b *ssa.BasicBlock) bool
	leaves = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		return !cycle[b] || e.pauses(b) || slices.ContainsFunc(e.next(b), leaves)
	}
	return !e.pauses(target) && len(from) > 0 && !slices.ContainsFunc(from, leaves)
}

// next is where the code may go from b.
func (e *endedWatch) next(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if test := flow.Branch(b); test != nil {
		if t := e.truth(test.Cond); t != flow.Either {
			return []*ssa.BasicBlock{flow.Side(test, t)}
		}
	}
	return b.Succs
}

// truth is what is known of a condition about the event.
func (e *endedWatch) truth(cond ssa.Value) flow.Truth {
	v, is := flow.Positive(cond)
	truth := flow.Either
	if bin, ok := v.(*ssa.BinOp); ok {
		if known, ok := bin.Y.(*ssa.Const); ok && e.zero(bin.X) {
			truth = flow.Equal(bin, flow.Settled(flow.IsZero(known)))
		}
	} else if e.zero(v) {
		truth = flow.No
	}
	if !is {
		return truth.Not()
	}
	return truth
}

// zero reports whether v is the event, something in it, or what is asked of that, and so the zero value of its type.
func (e *endedWatch) zero(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		if v.Tuple == e.recv.(ssa.Value) {
			_, choice := e.recv.(*ssa.Select)
			return !choice || v.Index == 1 || v.Index == e.value
		}
		is, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && e.zero(is.X)
	case *ssa.Field:
		return e.zero(v.X)
	case *ssa.Convert:
		return e.zero(v.X)
	case *ssa.ChangeType:
		return e.zero(v.X)
	case *ssa.ChangeInterface:
		return e.zero(v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.keeps(flow.Base(v.X))
		}
		return v == e.recv.(ssa.Value) && !v.CommaOk
	}
	return false
}

// keeps reports whether the variable at addr is for the event alone.
func (e *endedWatch) keeps(addr ssa.Value) bool {
	variable, ok := addr.(*ssa.Alloc)
	if !ok || e.asked[variable] {
		return ok // two that are stored to each other: what else is stored to them decides
	}
	e.asked[variable] = true
	defer delete(e.asked, variable)
	stored := false
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != variable || !e.zero(r.Val) {
				return false
			}
			stored = true
		case *ssa.FieldAddr:
			if slices.ContainsFunc(*r.Referrers(), func(in ssa.Instruction) bool { load, ok := in.(*ssa.UnOp); return !ok || load.Op != token.MUL }) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return stored
}

// pauses reports whether something in b takes its time, ends the function or the process, or may end what another case waits for.
func (e *endedWatch) pauses(b *ssa.BasicBlock) bool {
	return e.c.endsIn(b) || slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
		if in == e.recv {
			return false
		}
		if call, ok := in.(*ssa.Call); ok {
			if callee := e.c.pkg.Callee(&call.Call); callee != nil {
				return e.c.first(callee, e.seen, e.pause) != nil
			}
			if _, builtin := call.Call.Value.(*ssa.Builtin); !builtin && flow.Callee(&call.Call) == nil {
				return true // of a function value, which may end a context
			}
		}
		text, _ := e.pause(in)
		return text != ""
	})
}

// pause is the clause for what takes its time, or may end what others wait for.
func (e *endedWatch) pause(in ssa.Instruction) (text string, on []ssa.Value) {
	pauses := false
	switch in := in.(type) {
	case *ssa.Select:
		pauses = in.Blocking
	case *ssa.UnOp:
		pauses = in.Op == token.ARROW
	case *ssa.TypeAssert:
		pauses = !in.CommaOk && e.zero(in.X)
	case *ssa.Send, *ssa.Go, *ssa.Panic:
		pauses = true
	case *ssa.Call:
		fn := flow.Callee(&in.Call)
		pauses = in.Call.IsInvoke() && e.zero(in.Call.Value) || isCancel(in) || flow.Closed(&in.Call) != nil || fn != nil && slices.ContainsFunc(words.Of(fn.Name()), func(w string) bool {
			return slices.Contains([]string{"sleep", "wait", "backoff", "delay", "pause"}, w)
		})
	}
	if pauses {
		return "it pauses", nil
	}
	return "", nil
}
