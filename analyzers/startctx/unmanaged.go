package startctx

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unmanaged reports what is started with go beside a manager that elects a leader, with a context that is never done:
// it runs on every replica, and it goes on when the manager stops.
func (c *checker) unmanaged() {
	for _, fn := range c.pkg.Funcs {
		made := c.electing(flow.Decl(fn))
		if !made.IsValid() {
			continue
		}
		flow.Calls(fn, func(call ssa.CallInstruction) {
			spawn, ok := call.(*ssa.Go)
			if !ok {
				return
			}
			run := spawnedRun(spawn)
			if run == nil {
				return
			}
			bg := unboundedArg(run)
			if bg == nil || !loopsAlone(run) {
				return
			}
			c.report(rule.Finding{
				Pos: flow.Pos(run), Sub: "unmanaged", Site: "unmanaged-runnable",
				Message: fmt.Sprintf("%s runs beside a manager that elects a leader (line %d), with context.%s(): it works on every replica, leader or not, and does not stop when the manager does",
					c.called(run), c.line(made), flow.Callee(&bg.Call).Name()),
				Related: []analysis.RelatedInformation{{Pos: made, Message: "the manager is made here; what is added to it runs on the leader, and stops with it"}},
			})
		})
	}
}

// electing is where fn makes a manager that elects a leader.
func (c *checker) electing(fn *ssa.Function) token.Pos {
	at := token.NoPos
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if made, ok := call.(*ssa.Call); ok && makesManager(&made.Call) && electionOfCall(made) == maybe {
			at = call.Pos()
		}
	})
	return at
}

// spawnedRun is the call of a method Start or Run that spawn makes, directly or in a function literal.
func spawnedRun(spawn *ssa.Go) ssa.CallInstruction {
	if isRun(spawn) {
		return spawn
	}
	callee := flow.StaticCallee(&spawn.Call)
	if callee == nil || callee.Parent() == nil {
		return nil
	}
	var run ssa.CallInstruction
	flow.Calls(callee, func(call ssa.CallInstruction) {
		if run == nil && isRun(call) {
			run = call
		}
	})
	return run
}

func isRun(call ssa.CallInstruction) bool {
	callee := flow.Callee(call.Common())
	return callee != nil && flow.Recv(call.Common()) != nil && (callee.Name() == "Start" || callee.Name() == "Run")
}

// unboundedArg is the context that is never done among the arguments of call.
func unboundedArg(call ssa.CallInstruction) *ssa.Call {
	for _, a := range flow.Args(call.Common()) {
		if bg := blocking.Background(a); bg != nil {
			return bg
		}
	}
	return nil
}

// loopsAlone leaves out what is right on every replica: managers, caches, informers and servers.
func loopsAlone(call ssa.CallInstruction) bool {
	callee, recv := flow.Callee(call.Common()), flow.Recv(call.Common())
	if callee.Pkg() == nil {
		return false
	}
	path := kube.Path(callee.Pkg().Path())
	if kube.IsLibrary(path) || !strings.Contains(path, ".") {
		return false
	}
	if _, serves := blocking.ServeOf(call.Common()); serves {
		return false
	}
	t := flow.Unwrap(recv).Type()
	for _, name := range []string{"ServeHTTP", "GetInformer", "HasSynced", "WaitForCacheSync", "GetCertificate", "Shutdown"} {
		if kube.Method(t, name) != nil {
			return false
		}
	}
	return true
}
