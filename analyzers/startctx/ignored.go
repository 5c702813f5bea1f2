package startctx

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// ignored reports r if nothing in it looks at its context and it can block. It returns whether it did.
func (c *checker) ignored(r runnable) bool {
	if flow.Used(r.stop) || c.stoppedOtherwise(r.fn) {
		return false
	}
	op := c.blocks(r.fn, map[*ssa.Function]bool{})
	if op == nil {
		return false
	}
	pos := r.stop.Pos()
	if !pos.IsValid() {
		pos = r.fn.Pos()
	}
	c.report(rule.Finding{
		Pos: pos, Sub: "ignored",
		Message: fmt.Sprintf("%s ignores its %s, and %s at line %d%s: nothing ends it %s",
			r.name, r.what(), op.text, c.line(op.pos), op.inCallee(r.fn), r.ending()),
		Related: []analysis.RelatedInformation{{Pos: op.pos, Message: "here " + r.name + " waits"}},
	})
	return true
}

// stoppedOtherwise: the receiver's type has a method that stops it, so that its owner has another way than the context.
func (c *checker) stoppedOtherwise(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	n := kube.Named(fn.Signature.Recv().Type())
	if n == nil {
		return false
	}
	for i := range n.NumMethods() {
		if blocking.IsShutdown(n.Method(i).Name()) {
			return true
		}
	}
	return false
}

func (op *operation) inCallee(fn *ssa.Function) string {
	if op.fn == fn || flow.Decl(op.fn) == flow.Decl(fn) {
		return ""
	}
	return " (in " + flow.FuncName(op.fn) + ")"
}
