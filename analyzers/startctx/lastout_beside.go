package startctx

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A startedWait is a goroutine that goes on until what a field has is shut down.
type startedWait struct {
	spawn *ssa.Go
	lastingWait
}

// forgotten reports the goroutines of r that work off a queue which nothing shuts down, where r does so with the queue of another one: it has forgotten
// this one. Nobody has to wait for the goroutine.
func (l *lasting) forgotten(r controllers.Runnable) {
	if r.Fn.Signature.Recv() == nil {
		return
	}
	all, said := l.started(r), map[*types.Var]bool{}
	for _, w := range all {
		if said[w.field] || l.stray[w.field] || len(l.ends[w.field]) > 0 || len(l.types[w.field]) == 0 || !ownedBy(r.Fn, w.field) {
			continue
		}
		end := l.endsOne(r, all)
		if end == nil {
			continue
		}
		said[w.field] = true
		l.c.report(rule.Finding{
			Pos: flow.Pos(w.spawn), Sub: "loop", Site: "forgotten-queue",
			Message: fmt.Sprintf("this goroutine goes on until %s is shut down, and nothing does that, as %s does with %s at line %d: it is left behind %s",
				w.field.Name(), r.Name, fieldOf(flow.Recv(end.Common())).Name(), l.c.line(flow.Pos(end)), ending(r)),
			Related: []analysis.RelatedInformation{
				{Pos: flow.Pos(w.at), Message: "here it works off " + w.field.Name()},
				{Pos: flow.Pos(end), Message: "the other queue is shut down here"},
			},
		})
	}
}

// endsOne is where r shuts down what one of the fields of its object has for which goroutines that it starts wait; nil for nowhere.
func (l *lasting) endsOne(r controllers.Runnable, all []startedWait) ssa.CallInstruction {
	for _, w := range all {
		if !ownedBy(r.Fn, w.field) {
			continue
		}
		for fn := range l.c.pkg.Reach(program.Calls|program.Spawns, r.Fn) {
			for _, end := range l.ends[w.field] {
				if end.Parent() == fn {
					return end
				}
			}
		}
	}
	return nil
}

// started are the goroutines that r starts, itself or in what it runs, and that go on until something is shut down.
func (l *lasting) started(r controllers.Runnable) (out []startedWait) {
	for fn := range l.c.pkg.Reach(program.Calls|program.Spawns, r.Fn) {
		for in := range flow.Instrs(fn) {
			spawn, ok := in.(*ssa.Go)
			if !ok {
				continue
			}
			for f := range l.c.pkg.Reach(program.Calls, l.runBy(spawn)...) {
				for _, w := range l.waits[f] {
					out = append(out, startedWait{spawn, w})
				}
			}
		}
	}
	return out
}

// runBy are the functions of the package that the goroutine which spawn starts runs by itself, or hands to one of a library that does.
func (l *lasting) runBy(spawn *ssa.Go) []*ssa.Function {
	out := l.inPlace(spawn)
	if own := l.c.pkg.Own(flow.FuncValue(spawn.Call.Value)); own != nil {
		out = append(out, own)
		for f := range l.c.pkg.Reach(program.Calls, own) {
			flow.Calls(f, func(call ssa.CallInstruction) {
				if _, again := call.(*ssa.Go); !again {
					out = append(out, l.inPlace(call)...)
				}
			})
		}
	}
	return out
}

// inPlace are the functions of the package that call hands to one of a library which calls them before it comes back.
func (l *lasting) inPlace(call ssa.CallInstruction) (out []*ssa.Function) {
	called := blocking.CalledInPlace(flow.Callee(call.Common()))
	for i, arg := range flow.Args(call.Common()) {
		if own := l.c.ownFunc(arg); own != nil && slices.Contains(called, i) {
			out = append(out, own)
		}
	}
	return out
}
