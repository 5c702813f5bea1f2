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
			m, ok := startsIn(at)
			if !ok || m.leaves() {
				return
			}
			for f := range c.onGoroutine(m.fn, nest) {
				if made, ok := m.group.Root.(*ssa.Alloc); ok && made.Parent() == f {
					continue // each call of f has a group of its own
				}
				flow.Calls(f, func(w ssa.CallInstruction) {
					if call, ok := w.(*ssa.Call); ok && !seen[w] && c.waitsFor(call, m.group) && !joinsLater(call, m.group) && c.wanted(flow.Pos(w)) {
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
		Pos: flow.Pos(wait), Sub: "neverstops", Site: "self-join",
		Message: fmt.Sprintf("%s waits for the goroutine that it runs on, started on line %d: it never ends", c.spelled(wait, flow.Callee(&wait.Call)), rule.Line(c.pass, flow.Pos(at))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(at), Message: "started in the group here"}},
	})
}

// A member is a goroutine that is counted in a group.
type member struct {
	at    ssa.CallInstruction // that starts it
	fn    *ssa.Function       // that it runs
	group flow.Path           // in terms of the function of at
	done  ssa.CallInstruction // of fn, by which it leaves the group; nil where it does when fn has returned
}

// leaves reports whether m leaves its group while its function goes on.
func (m member) leaves() bool {
	_, called := m.done.(*ssa.Call)
	return called
}

// startsIn is the member that a call starts in a group, or a go statement whose function calls or defers the Done of one.
func startsIn(at ssa.CallInstruction) (member, bool) {
	com := at.Common()
	m := member{at: at}
	if spawn, ok := at.(*ssa.Go); ok {
		if m.fn = flow.FuncValue(spawn.Call.Value); m.fn == nil {
			return m, false
		}
		if m.done = doneIn(m.fn); m.done == nil {
			return m, false
		}
		m.group = flow.PathOf(flow.Recv(m.done.Common()))
		if p, ok := m.group.Root.(*ssa.Parameter); ok && p.Parent() == m.fn {
			m.group, _ = flow.Substitute(m.group, m.fn, spawn.Call.Args)
		}
		return m, m.group.Known()
	}
	args := flow.Args(com)
	if !blocking.StartsMember(flow.Callee(com)) || len(args) == 0 {
		return m, false
	}
	m.group, m.fn = flow.PathOf(flow.Recv(com)), flow.FuncValue(args[len(args)-1])
	return m, m.group.Known() && m.fn != nil
}

// doneIn is the call of a Done of a wait group in fn, a deferred one before others; nil where there is none.
func doneIn(fn *ssa.Function) (done ssa.CallInstruction) {
	for in := range flow.Instrs(fn) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || !(kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}).Is(flow.Callee(call.Common())) {
			continue
		}
		switch call.(type) {
		case *ssa.Defer:
			return call
		case *ssa.Call:
			done = call
		}
	}
	return done
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
