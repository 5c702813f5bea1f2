package startctx

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An election that is run in place comes back when the lease is lost. Behind it there is room for the end of the process, and not for what each replica
// is to serve: a probe of its health, for one.

// InPlace is the fact of a function that stands for a lease, or serves, until that is over.
type InPlace struct{ Stands, Serves bool }

// AFact marks InPlace as a fact.
func (*InPlace) AFact() {}

// String is for the tests of facts.
func (p *InPlace) String() string {
	switch {
	case p.Stands && p.Serves:
		return "stands for a lease, and serves"
	case p.Stands:
		return "stands for a lease"
	}
	return "serves"
}

// inPlace finds what functions do in place.
type inPlace struct {
	c         *checker
	givenBack bool // a leader of the package gives its lease back when it is done
	known     map[*ssa.Function]InPlace
}

// behindLeases reports the elections in place behind which something is served.
func (c *checker) behindLeases(all []*callbacks) {
	p := &inPlace{c: c, known: map[*ssa.Function]InPlace{}}
	for _, cb := range all {
		started := c.ownFunc(cb.started)
		p.givenBack = p.givenBack || started != nil && givesBack(started)
	}
	for _, component := range c.pkg.BottomUp(program.Calls) {
		p.find(component)
	}
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if !p.at(call).Stands || !rule.Wanted(c.pass, flow.Pos(call)) {
				return
			}
			if served := p.behind(call); served != nil {
				c.report(rule.Finding{
					Pos: flow.Pos(call), Sub: "leaderonly", Site: "endpoint-behind-lease",
					Message: fmt.Sprintf("%s stands for the lease in place, and comes back when it is lost: %s, behind it, serves nobody until then, neither on the leader nor on a replica that waits; start that first, or run the election in a goroutine",
						c.called(call), c.called(served)),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(served), Message: "this is not come to"}},
				})
			}
		})
		if of := p.known[fn]; of != (InPlace{}) && fn.Parent() == nil {
			if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() {
				c.pass.ExportObjectFact(obj, &of)
			}
		}
	}
}

// behind is a call that serves in place and comes after call in the function; nil where there is none.
func (p *inPlace) behind(call ssa.CallInstruction) (found ssa.CallInstruction) {
	flow.Calls(call.Parent(), func(later ssa.CallInstruction) {
		if found == nil && later != call && p.at(later).Serves && !p.at(later).Stands && flow.ReachesForward(call, later, nil) && !exclude(call, later) {
			found = later
		}
	})
	return found
}

// exclude reports whether one test leads to call, and its other side to later.
func exclude(call, later ssa.CallInstruction) bool {
	for one, t := range flow.Decided(call.Block()) {
		cond, is := flow.Positive(one.Cond)
		for other, u := range flow.Decided(later.Block()) {
			if same, isToo := flow.Positive(other.Cond); same == cond && t != flow.Either && u != flow.Either && (t == u) != (is == isToo) {
				return true
			}
		}
	}
	return false
}

// at is what call does in place.
func (p *inPlace) at(call ssa.CallInstruction) (does InPlace) {
	if _, plain := call.(*ssa.Call); !plain {
		return does
	}
	if isElection(call.Common()) {
		return InPlace{Stands: !p.givenBack}
	}
	if _, serves := blocking.ServeOf(call.Common()); serves {
		return InPlace{Serves: flow.Callee(call.Common()).Name() != "Accept"} // which takes one, and comes back
	}
	if own := p.c.pkg.Callee(call.Common()); own != nil {
		return p.known[own]
	}
	if callee := flow.Callee(call.Common()); callee != nil && callee.Pkg() != p.c.pass.Pkg {
		p.c.pass.ImportObjectFact(callee, &does)
	}
	return does
}

// find finds what the functions of a component do in place: those of a call cycle do the same.
func (p *inPlace) find(component []*ssa.Function) {
	var does InPlace
	for _, fn := range component {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			at := p.at(call)
			does.Stands, does.Serves = does.Stands || at.Stands, does.Serves || at.Serves
		})
	}
	if does == (InPlace{}) {
		return
	}
	for _, fn := range component {
		p.known[fn] = does
	}
}
