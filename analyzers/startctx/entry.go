package startctx

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// entry reports a Runnable that acts before it has looked at its context once. A manager that is stopping can still
// start it.
func (c *checker) entry(r runnable) {
	if !r.managed || len(r.fn.Blocks) == 0 {
		return
	}
	looks := func(in ssa.Instruction) bool { return looksAt(in, r.stop) }
	seen := map[*ssa.BasicBlock]bool{}
	var first ssa.Instruction
	var what string
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		seen[b] = true
		for _, in := range b.Instrs {
			if first != nil || looks(in) {
				return
			}
			if what = acts(in); what != "" {
				first = in
				return
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				walk(s)
			}
		}
	}
	walk(r.fn.Blocks[0])
	if first == nil {
		return
	}
	c.report(rule.Finding{
		Pos: flow.Pos(first), Sub: "entry",
		Message: fmt.Sprintf("%s %s before it looks at its %s once: a manager that is stopping can start it still (a look at Err() first narrows the race, it does not close it)",
			r.name, what, r.what()),
		Related: []analysis.RelatedInformation{{Pos: r.fn.Pos(), Message: "it starts here"}},
	})
}

// looksAt reports whether in asks the context or stop channel p whether it has ended, or hands it on.
func looksAt(in ssa.Instruction, p *ssa.Parameter) bool {
	for _, op := range in.Operands(nil) {
		if *op != nil && flow.Resolve(*op) == ssa.Value(p) {
			_, debug := in.(*ssa.DebugRef)
			_, captured := in.(*ssa.MakeClosure)
			_, stored := in.(*ssa.Store)
			return !debug && !captured && !stored
		}
	}
	return false
}

// acts is what in does to the world outside its function, "" where it does nothing. Something that was given the context
// has looked at it already, where it was handed on.
func acts(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Go:
		return "starts a goroutine"
	case *ssa.Send:
		return "sends on " + spell(in.Chan)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.SendOnly {
				return "sends on " + spell(s.Chan)
			}
		}
	case *ssa.Call:
		if s, ok := blocking.ServeOf(&in.Call); ok {
			return "calls " + s.What
		}
		if s, ok := blocking.SlowOf(in); ok && s.Kind == blocking.IO {
			return "calls " + s.What
		}
		if s := kube.SymbolOf(flow.Callee(&in.Call)); s.Pkg == "os" && s.Recv == "" && (s.Name == "WriteFile" || s.Name == "Remove" || s.Name == "RemoveAll" || s.Name == "Create") {
			return "calls " + s.String()
		}
	}
	return ""
}
