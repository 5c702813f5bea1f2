package unboundedsync

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Asks is the fact of a function that makes a request to an HTTP server which nothing ends, or that calls one which does.
type Asks struct {
	What string // the call that makes it, as the source spells it
	At   string // base file name and line of it
	Why  string // why nothing ends it
}

// AFact marks Asks as a fact.
func (*Asks) AFact() {}

// String is for the tests of facts.
func (a *Asks) String() string { return fmt.Sprintf("asks without an end by %s (%s)", a.What, a.At) }

// endlessRequests reports the requests to an HTTP server that a reconciler or a handler of events makes, itself or in what it calls and waits for, and that
// nothing ends: neither a context nor a timeout of the client. Where the server takes a request and never answers, the worker is lost. One request to which
// several calls of the package come is one finding.
func (c *checker) endlessRequests() {
	calls := map[Asks][]ssa.CallInstruction{}
	var order []Asks
	for fn := range c.pkg.Reach(program.Calls|program.Dispatches, c.turns()...) {
		for _, f := range inPlace(fn) {
			flow.Calls(f, func(call ssa.CallInstruction) {
				a := c.asksAt(call, nil)
				if a == nil || !c.wanted(flow.Pos(call)) || c.told[call] {
					return
				}
				c.told[call] = true
				if calls[*a] == nil {
					order = append(order, *a)
				}
				calls[*a] = append(calls[*a], call)
			})
		}
	}
	for _, a := range order {
		c.reportRequest(a, calls[a])
	}
}

// reportRequest reports the request a, to which these calls come.
func (c *checker) reportRequest(a Asks, calls []ssa.CallInstruction) {
	slices.SortFunc(calls, func(x, y ssa.CallInstruction) int { return cmp.Compare(flow.Pos(x), flow.Pos(y)) })
	first, what := calls[0], a.What
	var related []analysis.RelatedInformation
	if callee := flow.Callee(first.Common()); callee.Pkg() != nil && callee.Pkg().Path() != "net/http" {
		what = fmt.Sprintf("%s (%s, through %s)", a.What, a.At, callee.Name())
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(first), Message: "asks at " + a.At})
	}
	for _, call := range calls[1:] {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(call), Message: "asks the same"})
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(first), Sub: "neverstops",
		Message: fmt.Sprintf("%s waits for a server to answer and cannot be stopped: %s, and its client has no timeout; one that never answers keeps the worker for good", what, a.Why),
		Related: related,
	})
}

// turns are the reconcilers and the handlers of events of the package.
func (c *checker) turns() (fns []*ssa.Function) {
	for _, f := range c.pkg.Funcs {
		if kube.IsReconcile(flow.Object(f)) {
			fns = append(fns, f)
		}
	}
	for _, h := range controllers.Handlers(c.pkg) {
		fns = slices.Concat(fns, h.Created.Fns, h.Updated.Fns, h.Deleted.Fns)
	}
	return fns
}

// exportAsks tells other packages of the functions that make such requests. A function literal is its function's, where that runs it itself.
func (c *checker) exportAsks() {
	asks := map[*ssa.Function]*Asks{}
	for _, component := range c.pkg.BottomUp(program.Calls) {
		for again := true; again; { // what one of them asks, those that call it ask as well
			again = false
			for _, fn := range component {
				if asks[fn] != nil {
					continue
				}
				for _, f := range inPlace(fn) {
					flow.Calls(f, func(call ssa.CallInstruction) {
						if asks[fn] == nil {
							asks[fn] = c.asksAt(call, asks)
						}
					})
				}
				again = again || asks[fn] != nil && len(component) > 1
			}
		}
	}
	for _, fn := range c.pkg.Funcs {
		if obj := flow.Object(fn); obj != nil && asks[fn] != nil {
			c.pass.ExportObjectFact(obj, asks[fn])
		}
	}
}

// asksAt is what call asks for without an end: itself, or a function of another package that it calls, or one of this package of which own knows.
func (c *checker) asksAt(call ssa.CallInstruction, own map[*ssa.Function]*Asks) *Asks {
	if _, plain := call.(*ssa.Call); !plain {
		return nil
	}
	callee := flow.Callee(call.Common())
	if callee == nil {
		return nil
	}
	if w, ok := blocking.RemoteOf(call.Common(), c.httpClients()); ok {
		if w.Bound.Limit != blocking.Never {
			return nil
		}
		return &Asks{What: c.spelled(call, callee), At: c.at(flow.Pos(call)), Why: w.Bound.Why}
	}
	if fn := c.pkg.Callee(call.Common()); fn != nil {
		return own[fn]
	}
	return c.farAsks(callee)
}

// farAsks is what is known of fn, a function of another package; nil for nothing.
func (c *checker) farAsks(fn *types.Func) *Asks {
	var a Asks
	if fn.Pkg() == nil || fn.Pkg() == c.pkg.Pkg || !c.pass.ImportObjectFact(fn.Origin(), &a) {
		return nil
	}
	return &a
}
