package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// stopName is what a channel is called that says stop. A <-chan struct{} of another name may as well be a trigger,
// and a loop that goes on after a trigger is right.
var stopName = regexp.MustCompile(`(?i)stop|done|quit|exit|term|cancel|shutdown|closed|closing`)

// fallsBack reports the cases of selects in fn that receive the end of a context, or of a stop channel, and go on with
// the loop: the channel stays ready, and so the loop spins.
func (c *checker) fallsBack(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			sel, ok := in.(*ssa.Select)
			if !ok {
				continue
			}
			for i, s := range sel.States {
				if s.Dir != types.RecvOnly || !isStop(s.Chan) {
					continue
				}
				body := caseBlock(sel, i)
				if body == nil || !stable(s.Chan, sel.Block()) || !alwaysReturns(body, sel.Block()) {
					continue
				}
				pos := s.Pos
				if !pos.IsValid() {
					pos = flow.Pos(sel)
				}
				name := spell(s.Chan)
				end := "and nothing else ends the loop"
				if canLeave(sel.Block()) {
					end = "until another case leaves it"
				}
				c.report(pos, "loop", fmt.Sprintf("case <-%s does not leave the loop: once it is ready the loop in %s spins, %s",
					name, flow.FuncName(fn), end))
			}
		}
	}
}

// isStop reports whether ch is ctx.Done(), or a parameter or captured variable that is a stop channel by type and name.
func isStop(ch ssa.Value) bool {
	v := flow.Resolve(ch)
	if call, ok := v.(*ssa.Call); ok {
		return isDone(&call.Call)
	}
	if !isStopType(v.Type()) {
		return false
	}
	p, ok := v.(*ssa.Parameter)
	return ok && stopName.MatchString(p.Name())
}

// caseBlock is where case i of sel begins.
//
//	t1 = select blocking [...]
//	t2 = extract t1 #0
//	t3 = t2 == i
//	if t3 goto body else next
func caseBlock(sel *ssa.Select, i int) *ssa.BasicBlock {
	for _, r := range *sel.Referrers() {
		index, ok := r.(*ssa.Extract)
		if !ok || index.Index != 0 {
			continue
		}
		for _, r := range *index.Referrers() {
			eq, ok := r.(*ssa.BinOp)
			if !ok || eq.Op != token.EQL {
				continue
			}
			k, ok := eq.Y.(*ssa.Const)
			if !ok || k.Int64() != int64(i) {
				continue
			}
			for _, r := range *eq.Referrers() {
				if cond, ok := r.(*ssa.If); ok {
					return cond.Block().Succs[0]
				}
			}
		}
	}
	return nil
}

// alwaysReturns reports whether every path from b comes to target before anything that leaves the cycle on which
// target lies.
func alwaysReturns(b, target *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{target: true}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return true
		}
		seen[b] = true
		if !flow.BlocksFrom(b)[target] {
			return false
		}
		for _, s := range b.Succs {
			if !walk(s) {
				return false
			}
		}
		return true
	}
	return walk(b)
}

// canLeave reports whether some path from b does not come back to it.
func canLeave(b *ssa.BasicBlock) bool {
	for to := range flow.BlocksFrom(b) {
		if len(to.Succs) > 0 {
			continue
		}
		// A blocking select ends in a panic for the case that no case matched: no exit.
		if _, impossible := to.Instrs[len(to.Instrs)-1].(*ssa.Panic); !impossible {
			return true
		}
	}
	return false
}

// stable reports whether v is the same channel, or belongs to the same context, on each pass of the cycle through at.
func stable(v ssa.Value, at *ssa.BasicBlock) bool {
	onCycle := func(b *ssa.BasicBlock) bool { return b == at || flow.BlocksFrom(at)[b] && flow.BlocksFrom(b)[at] }
	for range 16 {
		v = flow.Unwrap(v)
		in, ok := v.(ssa.Instruction)
		if !ok || in.Parent() != at.Parent() {
			return true // a parameter, a free variable, a value of an enclosing function
		}
		switch x := v.(type) {
		case *ssa.Call:
			if isDone(&x.Call) {
				v = x.Call.Value
				continue
			}
		case *ssa.UnOp:
			if x.Op != token.MUL {
				break
			}
			if s := flow.SingleStore(x.X); s != nil {
				v = s
				continue
			}
			for _, b := range at.Parent().Blocks {
				if !onCycle(b) {
					continue
				}
				for _, in := range b.Instrs {
					if st, ok := in.(*ssa.Store); ok && (st.Addr == x.X || samePlace(st.Addr, x.X)) {
						return false
					}
				}
			}
			if _, local := x.X.(*ssa.Alloc); local {
				return false // written more than once, perhaps by a closure
			}
			return true
		}
		return !onCycle(in.Block())
	}
	return false
}

func samePlace(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	return ok && ok2 && x.Field == y.Field && types.Identical(x.X.Type(), y.X.Type())
}

// endless reports the loops of a runnable, of its goroutines and of what it calls in this package, that wait and never
// look at a context.
func (c *checker) endless(r runnable) {
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if seen[fn] || depth > maxDepth {
			return
		}
		seen[fn] = true
		c.endlessLoops(r, fn)
		flow.Calls(fn, func(call ssa.CallInstruction) {
			common := call.Common()
			if text := foreverCall(common); text != "" && !c.seen[call] {
				c.seen[call] = true
				c.report(call.Pos(), "loop", fmt.Sprintf("%s: %s started by %s does not end when its %s is done",
					text, flow.FuncName(fn), r.name, r.what()))
			}
			if callee := flow.StaticCallee(common); callee != nil && callee.Pkg == fn.Pkg && len(callee.Blocks) > 0 {
				visit(callee, depth+1)
			}
		})
	}
	visit(r.fn, 0)
}

// foreverCall is how call runs for ever, "" where it does not.
func foreverCall(call *ssa.CallCommon) string {
	callee := flow.Callee(call)
	if (kube.Symbol{Pkg: kube.Wait, Name: "Forever"}).Is(callee) {
		return "wait.Forever never returns"
	}
	if callee != nil && until[kube.SymbolOf(callee)] {
		for _, a := range flow.Args(call) {
			if isNeverStop(a) {
				return kube.SymbolOf(callee).String() + " has no stop channel that fires"
			}
		}
	}
	return ""
}

func (c *checker) endlessLoops(r runnable, fn *ssa.Function) {
	inner := map[ssa.Instruction]*flow.Loop{}
	loops := flow.Loops(fn)
	for _, l := range loops {
		l.Instrs(func(in ssa.Instruction) {
			if c.pause(in) != "" && (inner[in] == nil || len(l.Blocks) < len(inner[in].Blocks)) {
				inner[in] = l
			}
		})
	}
	for _, l := range loops {
		if !unconditional(l) || c.bounded(l) || c.mentionsStop(l) {
			continue
		}
		var first ssa.Instruction
		l.Instrs(func(in ssa.Instruction) {
			if first == nil && inner[in] == l {
				first = in
			}
		})
		if first == nil || c.seen[first] {
			continue
		}
		c.seen[first] = true
		c.report(flow.Pos(first), "loop", fmt.Sprintf("%s in a loop of %s that never looks at the %s of %s (line %d): the loop goes on after the manager has stopped",
			c.pause(first), flow.FuncName(fn), r.what(), r.name, rule.Line(c.pass, r.fn.Pos())))
	}
}

// pause is how in makes a loop wait: a sleep, a tick, or a receive. "" where it does not.
func (c *checker) pause(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Call:
		if (kube.Symbol{Pkg: "time", Name: "Sleep"}).Is(flow.Callee(&in.Call)) {
			return "time.Sleep"
		}
	case *ssa.UnOp:
		if in.Op != token.ARROW {
			return ""
		}
		if isTimer(in.X) {
			return "the tick"
		}
		if !in.CommaOk && !c.stops.ends(in.X) {
			return "the receive from " + spell(in.X)
		}
	}
	return ""
}

// unconditional reports whether l is a `for {`, or a range over a ticker, which nobody ever closes.
func unconditional(l *flow.Loop) bool {
	if l.Header.Comment == "for.body" {
		return true
	}
	for _, in := range l.Header.Instrs {
		if recv, ok := in.(*ssa.UnOp); ok && recv.Op == token.ARROW && isTimer(recv.X) {
			return true
		}
	}
	return false
}

// bounded reports whether l may end for a reason that is sure to come: a counter, a deadline, another channel. A loop
// that waits on a bare receive and has an exit of any kind is taken as bounded, as what is received may say so.
func (c *checker) bounded(l *flow.Loop) bool {
	sleeps := false
	l.Instrs(func(in ssa.Instruction) {
		if p := c.pause(in); p == "time.Sleep" || p == "the tick" {
			sleeps = true
		}
	})
	for _, b := range l.Exits() {
		if len(b.Instrs) == 0 {
			continue
		}
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			return true
		}
		if b == l.Header && unconditional(l) && l.Header.Comment != "for.body" {
			continue // a ticker is never closed
		}
		if !sleeps {
			return true
		}
		switch x := cond.Cond.(type) {
		case *ssa.BinOp:
			switch x.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				return true
			}
			if fromSelect(x.X) {
				return true
			}
		case *ssa.Call:
			if fn := flow.Callee(&x.Call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" {
				return true
			}
		case *ssa.Extract, *ssa.UnOp:
			// A received or loaded flag: somebody sets it to stop the loop.
			return true
		}
	}
	return false
}

func fromSelect(v ssa.Value) bool {
	ex, ok := v.(*ssa.Extract)
	if !ok {
		return false
	}
	_, ok = ex.Tuple.(*ssa.Select)
	return ok
}

// mentionsStop reports whether anything in l, or in the functions of this package that it calls, has to do with a
// context or a stop channel.
func (c *checker) mentionsStop(l *flow.Loop) bool {
	found := false
	l.Instrs(func(in ssa.Instruction) { found = found || c.touches(in, map[*ssa.Function]bool{}, 0) })
	return found
}

func (c *checker) touches(in ssa.Instruction, seen map[*ssa.Function]bool, depth int) bool {
	for _, op := range in.Operands(nil) {
		if *op == nil {
			continue
		}
		if t := (*op).Type(); t != nil && carriesStop(t) && !isBackground(*op) {
			return true
		}
	}
	if sel, ok := in.(*ssa.Select); ok {
		for _, s := range sel.States {
			if s.Dir == types.RecvOnly && !isTimer(s.Chan) {
				return true // another case may be the one that stops it
			}
		}
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok || depth > 3 {
		return false
	}
	var callees []*ssa.Function
	if callee := flow.StaticCallee(call.Common()); callee != nil {
		callees = append(callees, callee)
	}
	for _, a := range call.Common().Args {
		if fn := flow.FuncValue(a); fn != nil {
			callees = append(callees, fn)
		}
	}
	for _, callee := range callees {
		if seen[callee] || callee.Pkg != in.Parent().Pkg {
			continue
		}
		seen[callee] = true
		for _, b := range callee.Blocks {
			for _, in := range b.Instrs {
				if c.touches(in, seen, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// carriesStop reports whether a value of type t can say that it is time to stop.
func carriesStop(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if kube.IsContext(t) {
		return true
	}
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}
