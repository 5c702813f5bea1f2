package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// An OpenCall is a call whose targets the package does not know: of an interface method, or of a function value that
// flows from exported places.
type OpenCall struct {
	Iface, Method string
	Names         []string
}

// key identifies an open call.
func (c *OpenCall) key() string { return c.Iface + "|" + c.Method + "|" + strings.Join(c.Names, ",") }

// OpenEvent is an open call that a function may make, on its own goroutine.
type OpenEvent struct {
	Event
	Call OpenCall
}

// OpenOccurrence is an open call at an instruction, with the locks that are held there on every path.
type OpenOccurrence struct {
	Instr ssa.Instruction
	Held  []Hold
	OpenEvent
	passed []Hold
}

// openCall is call if the link phase has to resolve it. Interfaces of packages that are not analysed are left out,
// since their implementations are unknown.
func (e *engine) openCall(call *ssa.CallCommon) (OpenCall, bool) {
	c := e.openCalls.Ask(call, OpenCall{}, func() OpenCall { return e.findOpen(call) }) // asked once for each state
	return c, c.Method != "" || len(c.Names) > 0
}

// findOpen is openCall, zero where there is none.
func (e *engine) findOpen(call *ssa.CallCommon) OpenCall {
	if call.IsInvoke() {
		t := call.Value.Type()
		n := kubeapi.Named(t)
		if n == nil || n.Obj().Pkg() == nil || !e.own(n.Obj().Pkg()) || flow.IsError(t) {
			return OpenCall{}
		}
		return OpenCall{Iface: e.types.Interface(t), Method: call.Method.Name(), Names: e.origins.Names(call.Value)}
	}
	return OpenCall{Names: e.origins.Names(call.Value)}
}

// own reports whether pkg is a package that is analysed.
func (e *engine) own(pkg *types.Package) bool {
	return pkg == e.pass.Pkg || e.analysedPackages[pkg.Path()]
}

// open records that the function itself makes an open call, of a function that the keeper of a has.
func (in *interp) open(at ssa.CallInstruction, call *ssa.CallCommon, a actuals, s *state) {
	c, ok := in.e.openCall(call)
	if !ok {
		return
	}
	ev := in.e.event(at)
	if ev.Owners, ok = in.ownerGuards(nil, a); ok {
		in.recordOpen(OpenOccurrence{Instr: at, Held: s.held, OpenEvent: OpenEvent{ev, c}}, s.dropped)
	}
}

// recordOpen notes an open call in the result and, once for each that is called, in the summary.
func (in *interp) recordOpen(o OpenOccurrence, dropped []Hold) {
	key := o.Call.key()
	k := eventKey{instr: o.Instr, pos: o.Pos, at: o.At, class: Class(key)}
	if i, ok := in.openIndex[k]; ok {
		if i >= 0 {
			in.res.Opens[i].Held = common(in.res.Opens[i].Held, o.Held)
		}
		return
	}
	in.openIndex[k] = -1
	if !chosen(o.Guards) {
		in.openIndex[k] = len(in.res.Opens)
		kept := o
		kept.Held = slices.Clone(o.Held)
		in.res.Opens = append(in.res.Opens, kept)
	}
	guards, ok := in.allGuards(o.Instr, o.Guards)
	if !ok {
		return
	}
	ev := o.OpenEvent
	ev.Dropped, ev.Guards, ev.Passed = in.refs(dropped), guards, in.passed(o.Instr, o.passed)
	if i, old := in.place(sumKey{ref: Ref{Global: key}}, len(in.sum.Opens)); old {
		in.sum.Opens[i].meet(&ev.Event)
	} else if i >= 0 {
		in.sum.Opens = append(in.sum.Opens, ev)
	}
}

// opens instantiates an open call of the callee.
func (ap *application) opens(o *OpenEvent) {
	if ev, held, dropped, ok := ap.event(o.Event); ok {
		ap.in.recordOpen(OpenOccurrence{ap.at, held, OpenEvent{ev, o.Call}, ap.passed(o.Passed)}, dropped)
	}
}
