package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// postStart reports the waits of a post-start hook of an API server, which call hands over, for the end of that server: it is ready only when
// all its hooks have returned.
func (c *checker) postStart(call ssa.CallInstruction) {
	fn := flow.Callee(call.Common())
	if fn == nil || !strings.HasPrefix(fn.Name(), "AddPostStartHook") {
		return
	}
	args := flow.Args(call.Common())
	if len(args) == 0 {
		return
	}
	hook := c.pkg.Own(flow.FuncValue(args[len(args)-1]))
	if hook == nil {
		return
	}
	i := hookContext(hook)
	if i < 0 {
		return
	}
	for in := range flow.Instrs(hook) {
		recv, ok := in.(*ssa.UnOp)
		if !ok || recv.Op != token.ARROW || !endOf(recv.X, hook.Params[i]) || !c.wanted(flow.Pos(recv)) {
			continue
		}
		rule.Report(c.pass, rule.Finding{
			Pos: flow.Pos(recv), Sub: "neverstops", Site: "post-start-wait",
			Message: fmt.Sprintf("this hook returns only when the server stops, and the server is ready only when its hooks have returned (%s, line %d): wait in a goroutine",
				fn.Name(), rule.Line(c.pass, flow.Pos(call))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "handed over here"}},
		})
		return
	}
}

// hookContext is the index of the parameter of fn that is the context of a post-start hook; -1 for none.
func hookContext(fn *ssa.Function) int {
	for i, p := range fn.Params {
		if n, ok := types.Unalias(p.Type()).(*types.Named); ok && n.Obj().Name() == "PostStartHookContext" {
			return i
		}
	}
	return -1
}

// endOf reports whether ch is closed when the server stops that has given the context p to a hook.
func endOf(ch ssa.Value, p *ssa.Parameter) bool {
	at := flow.PathOf(ch)
	if ctx := blocking.DoneOf(ch); ctx != nil {
		at = flow.PathOf(ctx)
		return at.Root == ssa.Value(p)
	}
	return at.Root == ssa.Value(p) && at.Sel == ".StopCh"
}
