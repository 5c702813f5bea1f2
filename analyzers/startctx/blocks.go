package startctx

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// operation is something that can block.
type operation struct {
	in   ssa.Instruction
	text string      // as the clause of a sentence: "the send on x.ch can block"
	on   []ssa.Value // the channels and objects that it waits for, where they are known
}

func (op *operation) pos() token.Pos { return flow.Pos(op.in) }

// blocks is the first operation of fn, or of the functions of this package that it surely calls, that can block
// without end, or talks to something outside the process, or a loop without an exit. Goroutines block nobody but themselves.
func (c *checker) blocks(fn *ssa.Function, seen map[*ssa.Function]bool) *operation {
	if seen[fn] {
		return nil
	}
	seen[fn] = true
	for in := range flow.Instrs(fn) {
		if text, on := c.blocking(in); text != "" {
			return &operation{in, text, on}
		}
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, spawned := in.(*ssa.Go); spawned {
			continue
		}
		if c.waitsForGoroutines(call.Common()) {
			for _, f := range c.spawnedBy(fn) {
				if op := c.blocks(f, seen); op != nil {
					return op
				}
			}
			continue
		}
		if callee := c.pkg.Callee(call.Common()); callee != nil {
			if op := c.blocks(callee, seen); op != nil {
				return op
			}
		}
	}
	for _, loop := range flow.Loops(fn) {
		if len(loop.Exits()) == 0 {
			return &operation{loop.Header.Instrs[0], "the loop has no exit", nil}
		}
	}
	return nil
}

// waitsForGoroutines reports whether call waits until goroutines have finished. It blocks as long as they do.
func (c *checker) waitsForGoroutines(call *ssa.CallCommon) bool {
	w, ok := c.table.Call(call)
	return ok && w.Kind == blocking.Group
}

// spawnedBy are the functions that fn starts as goroutines, itself or through the Go method of a group.
func (c *checker) spawnedBy(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for call := range flow.Calls(fn) {
		from := []ssa.Value{call.Common().Value}
		if _, ok := call.(*ssa.Go); !ok {
			if from = nil; kubeapi.MemberStarters.Has(flow.Callee(call.Common())) {
				from = flow.Args(call.Common())
			}
		}
		for _, v := range from {
			if f := c.pkg.Own(flow.FuncValue(v)); f != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// blocking is the clause that says how in blocks, and on what, "" where it does not, or where something else is known to end
// it.
func (c *checker) blocking(in ssa.Instruction) (text string, on []ssa.Value) {
	switch in := in.(type) {
	case *ssa.Send:
		if !buffered(in.Chan) && !c.hasRoomOnce(in) {
			return "the send on " + spell(in.Chan) + " can block forever", []ssa.Value{in.Chan}
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW && !c.bounds.Ends(in.X) {
			return "the receive from " + spell(in.X) + " can block forever", []ssa.Value{in.X}
		}
	case *ssa.Select:
		if !in.Blocking {
			return "", nil
		}
		for _, s := range in.States {
			if s.Dir == types.RecvOnly && c.bounds.Ends(s.Chan) {
				return "", nil
			}
			on = append(on, s.Chan)
		}
		return "the select can block forever", on
	case *ssa.Go:
	case ssa.CallInstruction:
		return c.blockingCall(in)
	}
	return "", nil
}

// buffered reports whether ch was made with room in the same function, so that a send can be meant not to block.
func buffered(ch ssa.Value) bool {
	mk, ok := flow.Resolve(ch).(*ssa.MakeChan)
	if !ok {
		return false
	}
	size, ok := mk.Size.(*ssa.Const)
	return !ok || size.Int64() > 0
}

// hasRoomOnce reports whether s, a send that its function makes once, is to a channel that the package makes with room: that is what the room is for.
func (c *checker) hasRoomOnce(s *ssa.Send) bool {
	group := c.pkg.Origins().GroupOf(s.Chan)
	return group.Known() && len(group.Makes()) > 0 && !flow.InLoop(s.Block()) &&
		!slices.ContainsFunc(group.Makes(), func(made *ssa.MakeChan) bool { return flow.IsZeroInt(made.Size) })
}

func spell(v ssa.Value) string {
	p := flow.PathOf(v)
	if ctx := blocking.DoneOf(v); ctx != nil {
		return spell(ctx) + ".Done()"
	}
	if _, made := p.Root.(*ssa.MakeChan); made {
		return "a channel"
	}
	if p.Known() {
		return p.String()
	}
	return "a channel"
}

// blockingCall is blocking for a call of a function whose body is not here.
func (c *checker) blockingCall(in ssa.CallInstruction) (text string, on []ssa.Value) {
	call := in.Common()
	if s, ok := c.serveOf(call); ok {
		if slices.ContainsFunc(s.Ends, c.bounds.ShutDown) {
			return "", nil
		}
		return s.What + " serves until it is shut down", s.Ends
	}
	if w, ok := c.table.Call(call); ok {
		if r := flow.Recv(call); r != nil {
			on = []ssa.Value{r}
		}
		return c.waiting(w, call), on
	}
	callee := flow.Callee(call)
	if (kubeapi.Symbol{Pkg: "time", Name: "Sleep"}).Is(callee) {
		if len(call.Args) == 1 && !brief(call.Args[0]) {
			return "time.Sleep delays it", nil
		}
		return "", nil
	}
	if s, ok := c.table.SlowOf(in); ok && s.Kind == blocking.IO {
		ctx := contextArg(call)
		switch {
		case ctx != nil && blocking.Background(ctx) != nil:
			if !flow.InLoop(in.Block()) {
				return "", nil // the answer comes
			}
			return s.What + " waits for a server with a context that is never done", nil
		case ctx == nil && kubeapi.SymbolOf(callee).Pkg == "net/http" && callee.Name() != "Write":
			return s.What + " waits for a response", nil
		}
	}
	return "", nil
}

// serveOf is the serving that call does, by the name and the shape of a function whose body is not here: one of the package says itself what it does.
func (c *checker) serveOf(call *ssa.CallCommon) (blocking.Serve, bool) {
	if c.pkg.Callee(call) != nil {
		return blocking.Serve{}, false
	}
	return blocking.ServeOf(call)
}

// waiting is the clause for a wait of the table, "" for one that something ends.
func (c *checker) waiting(w blocking.Wait, call *ssa.CallCommon) string {
	switch w.Kind {
	case blocking.Group, blocking.Queue:
		return "" // as long as the goroutines, which are looked at themselves; others put in what it waits for
	case blocking.Cond, blocking.Process, blocking.Acquire:
		if r := flow.Recv(call); r != nil && c.bounds.ShutDown(r) || w.Kind == blocking.Acquire && w.Bound.Limit != blocking.Never {
			return ""
		}
		return w.What + " waits for " + w.Kind.For()
	}
	if kubeapi.Forever.Has(flow.Callee(call)) {
		return w.What + " never returns"
	}
	if w.Bound.Limit != blocking.Never {
		return ""
	}
	if w.Kind == blocking.Run {
		return w.What + " runs forever (" + w.Bound.Why + ")"
	}
	return w.What + " waits for " + w.Kind.For() + " (" + w.Bound.Why + ")"
}

// contextArg is the context that call is given, nil where there is none.
func contextArg(call *ssa.CallCommon) ssa.Value {
	for _, a := range flow.Args(call) {
		if kubeapi.IsContext(a.Type()) {
			return a
		}
	}
	return nil
}

// brief reports whether d is a constant below a second.
func brief(d ssa.Value) bool {
	k, ok := d.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
		return false
	}
	return time.Duration(k.Int64()) < time.Second
}
