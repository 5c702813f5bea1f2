package unboundedsync

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// tooEarly reports the sends to a channel without room by the function that has made it and given it to nobody yet: there is nobody to receive, and never
// will be. Who receives so may mean to wait for ever.
func (c *checker) tooEarly() {
	for send := range flow.InstrsOf[*ssa.Send](c.pkg.All()...) {
		if !rule.Wanted(c.pass, flow.Pos(send)) {
			continue
		}
		made, holders := madeHere(send.Chan)
		if made == nil || !flow.Dominates(made, send) || !flow.IsZeroInt(made.Size) || givenBefore(send, holders) {
			continue
		}
		rule.Report(c.pass, rule.Finding{
			Pos: flow.Pos(send), Sub: "neverstops", Site: "unreceived-send",
			Message: fmt.Sprintf("send blocks forever: the channel created on line %d is unbuffered and not shared yet; start the receiver first, or add a buffer", rule.Line(c.pass, flow.Pos(made))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is created here"}},
		})
	}
}

// madeHere is the channel that ch is, where its function has made it, and what others may have it by: itself, and the variable that it is in, or in a field
// of.
func madeHere(ch ssa.Value) (*ssa.MakeChan, []ssa.Value) {
	if made, ok := ch.(*ssa.MakeChan); ok {
		return made, []ssa.Value{made}
	}
	load, ok := ch.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, nil
	}
	if variable, ok := load.X.(*ssa.Alloc); ok {
		made, _ := flow.Resolve(ch).(*ssa.MakeChan)
		return made, []ssa.Value{made, variable}
	}
	place := flow.PathOf(ch)
	variable, ok := place.Root.(*ssa.Alloc)
	if !ok || variable.Parent() != load.Parent() {
		return nil, nil
	}
	var made *ssa.MakeChan
	for st := range flow.InstrsOf[*ssa.Store](load.Parent()) {
		if flow.PathOf(st.Addr) != place {
			continue
		}
		m, ok := st.Val.(*ssa.MakeChan)
		if !ok || made != nil {
			return nil, nil
		}
		made = m
	}
	if made == nil {
		return nil, nil
	}
	return made, []ssa.Value{made, variable}
}

// givenBefore reports whether something that may come before in gives one of the holders, or what is in it, to anybody.
func givenBefore(in ssa.Instruction, holders []ssa.Value) bool {
	work := values.From(holders...)
	work.Skip = func(r ssa.Instruction) bool {
		literal, ok := r.(*ssa.MakeClosure)
		_, deferred := r.(*ssa.Defer)
		return deferred || ok && flow.OnlyDeferred(literal) || r.Parent() == in.Parent() && !flow.Reaches(r, in, nil)
	}
	for r, v := range work.Uses() {
		if r == in {
			continue
		}
		if r.Parent() != in.Parent() {
			return true // in a function literal
		}
		switch r := r.(type) {
		case *ssa.FieldAddr:
			work.Add(r)
		case *ssa.Store:
			if !slices.Contains(holders, flow.Base(r.Addr)) {
				return true
			}
		case *ssa.UnOp: // received from, which waits as well
		case *ssa.Send:
			if r.Chan != v {
				return true
			}
		default:
			return true
		}
	}
	return false
}
