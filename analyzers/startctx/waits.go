package startctx

import (
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// operation is something that can block.
type operation struct {
	pos  token.Pos
	text string // as the clause of a sentence: "the send on x.ch can block"
	fn   *ssa.Function
}

// blocks is the first operation of fn, or of the functions of this package that it surely calls, that can block
// without end, or talks to something outside the process. Goroutines block nobody but themselves.
func (c *checker) blocks(fn *ssa.Function, seen map[*ssa.Function]bool) *operation {
	if seen[fn] {
		return nil
	}
	seen[fn] = true
	for in := range flow.Instrs(fn) {
		if text := c.blocking(in); text != "" {
			return &operation{flow.Pos(in), text, fn}
		}
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, spawned := in.(*ssa.Go); spawned {
			continue
		}
		if waitsForGoroutines(call.Common()) {
			if op := c.blocksIn(spawnedBy(fn), seen); op != nil {
				return op
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
			in := loop.Header.Instrs[0]
			return &operation{flow.Pos(in), "the loop has no exit", fn}
		}
	}
	return nil
}

// blocksIn is the first operation that blocks in one of fns.
func (c *checker) blocksIn(fns []*ssa.Function, seen map[*ssa.Function]bool) *operation {
	for _, fn := range fns {
		if fn.Pkg == c.pkg.Package {
			if op := c.blocks(fn, seen); op != nil {
				return op
			}
		}
	}
	return nil
}

// waitsForGoroutines reports whether call waits until goroutines have finished. It blocks as long as they do.
func waitsForGoroutines(call *ssa.CallCommon) bool {
	w, ok := blocking.Call(call)
	return ok && w.Kind == blocking.Group
}

// spawnedBy are the functions that fn starts as goroutines, itself or through the Go method of a group.
func spawnedBy(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if _, ok := call.(*ssa.Go); ok {
			if callee := declared(flow.StaticCallee(call.Common())); callee != nil {
				out = append(out, callee)
			}
			return
		}
		if callee := flow.Callee(call.Common()); callee != nil && callee.Name() == "Go" {
			for _, a := range flow.Args(call.Common()) {
				if f := declared(flow.FuncValue(a)); f != nil {
					out = append(out, f)
				}
			}
		}
	})
	return out
}

// blocking is the clause that says how in blocks, "" where it does not, or where something else is known to end it.
func (c *checker) blocking(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Send:
		if !buffered(in.Chan) {
			return "the send on " + spell(in.Chan) + " can block for ever"
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW && !c.stops.ends(in.X) {
			return "the receive from " + spell(in.X) + " can block for ever"
		}
	case *ssa.Select:
		if !in.Blocking {
			return ""
		}
		for _, s := range in.States {
			if s.Dir == types.RecvOnly && c.stops.ends(s.Chan) {
				return ""
			}
		}
		return "the select can block for ever"
	case *ssa.Go:
		return ""
	case ssa.CallInstruction:
		return c.blockingCall(in)
	}
	return ""
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

func spell(v ssa.Value) string {
	p := flow.PathOf(v)
	if call, ok := p.Root.(*ssa.Call); ok && p.Sel == "" && isDone(&call.Call) {
		return spell(call.Call.Value) + ".Done()"
	}
	if _, made := p.Root.(*ssa.MakeChan); made {
		return "a channel"
	}
	if p.Known() {
		return p.String()
	}
	return "a channel"
}

// blockingCall is the clause for a call of a function whose body is not here.
func (c *checker) blockingCall(in ssa.CallInstruction) string {
	call := in.Common()
	if s, ok := blocking.ServeOf(call); ok {
		for _, end := range s.Ends {
			if n := kube.Named(flow.Unwrap(end).Type()); n != nil && c.stops.types[n.Obj()] {
				return ""
			}
		}
		return s.What + " serves until it is shut down"
	}
	if w, ok := blocking.Call(call); ok {
		return c.waiting(w, call)
	}
	callee := flow.Callee(call)
	if (kube.Symbol{Pkg: "time", Name: "Sleep"}).Is(callee) {
		if len(call.Args) == 1 && !brief(call.Args[0]) {
			return "time.Sleep holds it up"
		}
		return ""
	}
	if s, ok := blocking.SlowOf(in); ok && s.Kind == blocking.IO {
		ctx := contextArg(call)
		switch {
		case ctx != nil && isBackground(ctx):
			return s.What + " waits for a server with a context that is never done"
		case ctx == nil && kube.SymbolOf(callee).Pkg == "net/http" && callee.Name() != "Write":
			return s.What + " waits for a response"
		}
	}
	return ""
}

// waiting is the clause for a wait of the table, "" for one that something ends.
func (c *checker) waiting(w blocking.Wait, call *ssa.CallCommon) string {
	switch w.Kind {
	case blocking.Group:
		return "" // as long as the goroutines, which are looked at themselves
	case blocking.Queue, blocking.Cond, blocking.Process, blocking.Acquire:
		if r := flow.Recv(call); r != nil {
			if n := kube.Named(flow.Unwrap(r).Type()); n != nil && c.stops.types[n.Obj()] {
				return ""
			}
		}
		if w.Kind == blocking.Queue || w.Kind == blocking.Acquire && w.Bound.Limit != blocking.Never {
			return "" // others put in what it waits for
		}
		return w.What + " waits for " + w.Kind.For()
	}
	if isForever(call) {
		return w.What + " never returns"
	}
	if w.Bound.Limit != blocking.Never {
		return ""
	}
	if w.Kind == blocking.Run {
		return w.What + " runs for ever: " + w.Bound.Why
	}
	return w.What + " waits for " + w.Kind.For() + ", and " + w.Bound.Why
}

// isForever reports whether call is wait.Forever.
func isForever(call *ssa.CallCommon) bool {
	return kube.Symbol{Pkg: kube.Wait, Name: "Forever"}.Is(flow.Callee(call))
}

// contextArg is the context that call is given, nil where there is none.
func contextArg(call *ssa.CallCommon) ssa.Value {
	for _, a := range flow.Args(call) {
		if kube.IsContext(a.Type()) {
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
