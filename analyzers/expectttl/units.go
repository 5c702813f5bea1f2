package expectttl

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkUnits reports an expectation of as many as a loop behind it has turns, where a turn may go without the request, or the loop may end
// before its last turn: each unit is paid by a request, or taken back by itself, and what is left stays.
func (g *callGraph) checkUnits(e expectation) {
	n := countOf(e.call)
	if n == nil || g.defersTouch(e) || g.callersTouch(e, e.call.Parent(), map[*ssa.Function]bool{}) {
		return
	}
	for _, l := range flow.Loops(e.call.Parent()) {
		body, last := turnsOf(l, n)
		if body == nil || !flow.Dominates(e.call, l.Header.Instrs[0]) {
			continue
		}
		pays := func(b *ssa.BasicBlock) bool { return g.pays(b, e) }
		if !g.requestsIn(l, e) {
			return
		}
		if skips(l, body, last, pays) {
			g.reportUnits(e, flow.Branch(last), "a turn of the loop may end without a request, and without taking back the one that was expected for it")
			return
		}
		for _, from := range l.Exits() {
			for _, to := range from.Succs {
				if l.Blocks[to] || from == last {
					continue
				}
				if ret := g.leavesUnits(to, e); ret != nil {
					g.reportUnits(e, flow.Branch(last), fmt.Sprintf("the loop may end at line %d before its last turn: what it has not come to is not taken back", rule.Line(g.pass, flow.Pos(ret))))
					return
				}
			}
		}
		return
	}
}

// countOf is the number that call expects, where that is no constant.
func countOf(call *ssa.Call) (n ssa.Value) {
	for _, a := range flow.Args(&call.Call) {
		if !flow.IsInteger(a.Type()) {
			continue
		}
		if _, constant := a.(*ssa.Const); constant {
			continue
		}
		if n != nil {
			return nil
		}
		n = a
	}
	return n
}

// turnsOf is where a turn of l begins, and which block ends it with the test whether there is another one, of a loop with n turns; nil for another
// loop.
func turnsOf(l *flow.Loop, n ssa.Value) (body, last *ssa.BasicBlock) {
	for b := range l.Blocks {
		test := flow.Branch(b)
		if test == nil || l.Blocks[b.Succs[1]] || !l.Blocks[b.Succs[0]] {
			continue
		}
		if less, ok := test.Cond.(*ssa.BinOp); !ok || less.Op != token.LSS || !sameNumber(less.Y, n) {
			continue
		}
		switch {
		case b == l.Header:
			return b.Succs[0], b
		case b.Succs[0] == l.Header: // for range n
			return l.Header, b
		}
	}
	return nil, nil
}

// sameNumber reports whether both are the same number, or the lengths of the same list.
func sameNumber(x, y ssa.Value) bool {
	x, y = unconverted(x), unconverted(y)
	if x == y {
		return true
	}
	s, t := listOf(x), listOf(y)
	if s == nil || t == nil {
		return false
	}
	p := flow.PathOf(s)
	return s == t || p.Known() && p == flow.PathOf(t)
}

func unconverted(v ssa.Value) ssa.Value {
	v = flow.Resolve(v)
	if c, ok := v.(*ssa.Convert); ok {
		return flow.Resolve(c.X)
	}
	return v
}

// listOf is the list whose length v is, nil for other numbers.
func listOf(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok {
		if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return call.Call.Args[0]
		}
	}
	return nil
}

// pays reports whether what e expects is asked for in b, or taken back, or may be out of sight.
func (g *callGraph) pays(b *ssa.BasicBlock, e expectation) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Go, *ssa.MakeClosure, *ssa.Send:
			return true
		case ssa.CallInstruction:
			if _, ok := g.isWrite(in, e.verb); ok || g.touches(in, e.store, map[*ssa.Function]bool{}) {
				return true
			}
		}
	}
	return false
}

// requestsIn reports whether l makes the requests that e is about by itself.
func (g *callGraph) requestsIn(l *flow.Loop, e expectation) bool {
	found := false
	for b := range l.Blocks {
		for _, in := range b.Instrs {
			if _, ok := g.isWrite(in, e.verb); ok {
				found = true
			}
			if _, ok := in.(*ssa.Go); ok {
				return false
			}
		}
	}
	return found
}

// skips reports whether control can come from the start of a turn of l to its last block without one that pays.
func skips(l *flow.Loop, body, last *ssa.BasicBlock, pays func(*ssa.BasicBlock) bool) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		if b == last {
			return b != body || !pays(b)
		}
		if seen[b] || !l.Blocks[b] || pays(b) {
			return false
		}
		seen[b] = true
		for _, s := range b.Succs {
			if walk(s) {
				return true
			}
		}
		return false
	}
	return walk(body)
}

// leavesUnits is a return to which control can come from b, where a loop was left early, and where nothing on any way there takes back more than one
// unit of e; nil where something does, or may: how many are left is for that to know.
func (g *callGraph) leavesUnits(b *ssa.BasicBlock, e expectation) (ret *ssa.Return) {
	behind := flow.BlocksFrom(b)
	behind[b] = true
	for _, block := range b.Parent().Blocks {
		if !behind[block] {
			continue
		}
		for _, in := range block.Instrs {
			switch in := in.(type) {
			case *ssa.Return:
				if ret == nil {
					ret = in
				}
			case *ssa.MakeClosure, *ssa.Go, *ssa.Defer:
				return nil
			case *ssa.Call:
				if g.touches(in, e.store, map[*ssa.Function]bool{}) && (!isSingle(in) || flow.InLoop(block)) {
					return nil
				}
			}
		}
	}
	return ret
}

// isSingle reports whether call takes back one unit: it observes, and is given no number but one.
func isSingle(call *ssa.Call) bool {
	if _, r := storeCall(&call.Call); r != observes {
		return false
	}
	return countOf(call) == nil
}

func (g *callGraph) reportUnits(e expectation, test *ssa.If, how string) {
	line := rule.Line(g.pass, flow.Pos(e.call))
	rule.Report(g.pass, rule.Finding{
		Pos: flow.Pos(e.call), Sub: "notlowered", Site: "mismatched-unit",
		Message: fmt.Sprintf("%s keeps some of what %s expects here (line %d): %s, and whoever waits for %s waits in vain",
			e.store.path, e.fn.Name(), line, how, e.store.path),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "the loop is here"}},
	})
}
