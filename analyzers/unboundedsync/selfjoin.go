package unboundedsync

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// joinsItself reports goroutines of decl that wait for the group which they belong to: they wait for themselves. The
// error handler of an informer's watch belongs to the goroutine that runs the informer.
func (c *checker) joinsItself(decl *ssa.Function) {
	nest := append([]*ssa.Function{decl}, flow.Literals(decl)...)
	if len(nest) == 1 {
		return
	}
	seen := map[ssa.Instruction]bool{}
	for _, fn := range nest {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			group, member := startsIn(at)
			if !group.Known() || member == nil {
				return
			}
			for f := range c.onGoroutine(member, nest) {
				flow.Calls(f, func(w ssa.CallInstruction) {
					call, ok := w.(*ssa.Call)
					if !ok || seen[w] || !waitsFor(call, group) || !rule.Wanted(c.pass, flow.Pos(w)) || c.forTests(flow.Pos(w)) {
						return
					}
					seen[w] = true
					rule.Report(c.pass, rule.Finding{
						Pos: flow.Pos(w), Sub: "neverstops",
						Message: fmt.Sprintf("%s waits for the goroutine that it runs on, started on line %d: it never ends", c.spelled(w, flow.Callee(w.Common())), rule.Line(c.pass, flow.Pos(at))),
						Related: []analysis.RelatedInformation{{Pos: flow.Pos(at), Message: "started in the group here"}},
					})
				})
			}
		})
	}
}

// startsIn is the group and the function of a call that starts a goroutine in a group, or of a go statement whose
// function defers the Done of one.
func startsIn(at ssa.CallInstruction) (flow.Path, *ssa.Function) {
	com := at.Common()
	if spawn, ok := at.(*ssa.Go); ok {
		fn := flow.FuncValue(spawn.Call.Value)
		if fn == nil {
			return flow.Path{}, nil
		}
		for in := range flow.Instrs(fn) {
			if d, ok := in.(*ssa.Defer); ok && (kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}).Is(flow.Callee(&d.Call)) {
				return flow.PathOf(flow.Recv(&d.Call)), fn
			}
		}
		return flow.Path{}, nil
	}
	fn := flow.Callee(com)
	if fn == nil || flow.Recv(com) == nil || !isGroup(flow.Recv(com)) || fn.Name() != "Go" && !strings.HasPrefix(fn.Name(), "Start") {
		return flow.Path{}, nil
	}
	args := flow.Args(com)
	if len(args) == 0 {
		return flow.Path{}, nil
	}
	return flow.PathOf(flow.Recv(com)), flow.FuncValue(args[len(args)-1])
}

func isGroup(v ssa.Value) bool {
	return kube.IsType(v.Type(), "sync", "WaitGroup") || kube.IsType(v.Type(), "golang.org/x/sync/errgroup", "Group") || kube.IsType(v.Type(), kube.Wait, "Group")
}

func waitsFor(call *ssa.Call, group flow.Path) bool {
	kind, _, ok := blocking.Given(flow.Callee(&call.Call))
	return ok && kind == blocking.Group && flow.PathOf(flow.Recv(&call.Call)) == group
}

// onGoroutine are the functions that run on the goroutine of member: what it calls, and the handlers of the informers
// that it runs.
func (c *checker) onGoroutine(member *ssa.Function, nest []*ssa.Function) map[*ssa.Function]bool {
	out := c.runs(member)
	for f := range c.runs(member) {
		flow.Calls(f, func(at ssa.CallInstruction) {
			com := at.Common()
			fn := flow.Callee(com)
			if fn == nil || flow.Recv(com) == nil || fn.Name() != "Run" && fn.Name() != "RunWithContext" || !isInformer(flow.Recv(com).Type()) {
				return
			}
			runs := placeOf(flow.Resolve(flow.Recv(com)))
			for _, g := range nest {
				flow.Calls(g, func(set ssa.CallInstruction) {
					com := set.Common()
					fn := flow.Callee(com)
					if fn == nil || !strings.HasPrefix(fn.Name(), "SetWatchErrorHandler") || flow.Recv(com) == nil || placeOf(flow.Resolve(flow.Recv(com))) != runs {
						return
					}
					if h := c.own(flow.FuncValue(flow.Args(com)[0])); h != nil {
						for r := range c.runs(h) {
							out[r] = true
						}
					}
				})
			}
		})
	}
	return out
}
