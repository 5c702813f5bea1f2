package unboundedsync

import (
	"fmt"
	"maps"
	"slices"

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
					if call, ok := w.(*ssa.Call); ok && !seen[w] && c.waitsFor(call, group) && !joinsLater(call, group) && c.wanted(flow.Pos(w)) {
						seen[w] = true
						c.reportJoin(call, at)
					}
				})
			}
		})
	}
}

func (c *checker) reportJoin(wait *ssa.Call, at ssa.CallInstruction) {
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(wait), Sub: "neverstops",
		Message: fmt.Sprintf("%s waits for the goroutine that it runs on, started on line %d: it never ends", c.spelled(wait, flow.Callee(&wait.Call)), rule.Line(c.pass, flow.Pos(at))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(at), Message: "started in the group here"}},
	})
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
	args := flow.Args(com)
	if !blocking.StartsMember(flow.Callee(com)) || len(args) == 0 {
		return flow.Path{}, nil
	}
	return flow.PathOf(flow.Recv(com)), flow.FuncValue(args[len(args)-1])
}

func (c *checker) waitsFor(call *ssa.Call, group flow.Path) bool {
	kind, _, ok := c.table.Given(flow.Callee(&call.Call))
	return ok && kind == blocking.Group && flow.PathOf(flow.Recv(&call.Call)) == group
}

// joinsLater reports whether the goroutine of wait is counted in the group by an Add of its own that comes after the wait: it waits for those before it.
func joinsLater(wait *ssa.Call, group flow.Path) bool {
	later := false
	flow.Calls(wait.Parent(), func(call ssa.CallInstruction) {
		add := (kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Add"}).Is(flow.Callee(call.Common()))
		later = later || add && flow.PathOf(flow.Recv(call.Common())) == group && flow.Dominates(wait, call)
	})
	return later
}

// onGoroutine are the functions that run on the goroutine of member: what it calls, and the handlers of the informers
// that it runs.
func (c *checker) onGoroutine(member *ssa.Function, nest []*ssa.Function) map[*ssa.Function]bool {
	out := c.runs(member)
	var informers []flow.Path // that it runs
	for f := range out {
		flow.Calls(f, func(at ssa.CallInstruction) {
			fn, recv := flow.Callee(at.Common()), flow.Recv(at.Common())
			if fn != nil && recv != nil && (fn.Name() == "Run" || fn.Name() == "RunWithContext") && kube.IsInformer(recv.Type()) {
				informers = append(informers, placeOf(flow.Resolve(recv)))
			}
		})
	}
	for _, g := range nest {
		flow.Calls(g, func(at ssa.CallInstruction) {
			fn, recv := flow.Callee(at.Common()), flow.Recv(at.Common())
			if fn == nil || recv == nil || !setsErrorHandler[fn.Name()] || !slices.Contains(informers, placeOf(flow.Resolve(recv))) {
				return
			}
			if h := c.pkg.Own(flow.FuncValue(flow.Args(at.Common())[0])); h != nil {
				maps.Copy(out, c.runs(h))
			}
		})
	}
	return out
}

// setsErrorHandler are the methods of informers that take what their goroutine does with an error.
var setsErrorHandler = map[string]bool{"SetWatchErrorHandler": true, "SetWatchErrorHandlerWithContext": true}
