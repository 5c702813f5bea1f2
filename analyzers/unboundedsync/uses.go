package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// chanOps are the operations on a channel.
type chanOps struct {
	sends    []*ssa.Send       // that wait for nothing else
	receives []ssa.Instruction // and selects with a receive
	closes   []ssa.CallInstruction
}

// note adds the operation in on the channel v; false if in is none, or may give the channel to others.
func (o *chanOps) note(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.Send:
		if in.Chan != v {
			return false // it is sent itself
		}
		o.sends = append(o.sends, in)
	case *ssa.UnOp:
		o.receives = append(o.receives, in)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Send == v {
				return false
			}
			if s.Chan == v && s.Dir == types.RecvOnly && !slices.Contains(o.receives, ssa.Instruction(in)) {
				o.receives = append(o.receives, in)
			}
		}
	case ssa.CallInstruction:
		switch flow.Builtin(in.Common()) {
		case "close":
			o.closes = append(o.closes, in)
		case "len", "cap":
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// chanUses are what is done with a channel that one function, its literals, and functions of the package that they give it to have.
type chanUses struct {
	chanOps
	same *values.Worklist // the channel, wherever it is loaded, and the variables that it is stored to

	out   *ssa.Call                             // that gives it to another function; nil where only the one that makes it has it
	given map[*ssa.Function]ssa.CallInstruction // the one call or go statement that gives it to a function of the package
	pkg   *program.Program
}

// usesOf are the uses of the channel made; false where others get hold of it, or its variable is set again. Where out is not nil it is a call of the function that
// makes the channel, which returns it: each call has one of its own.
func (c *checker) usesOf(made *ssa.MakeChan, out *ssa.Call) (*chanUses, bool) {
	u := &chanUses{out: out, same: values.From(made), given: map[*ssa.Function]ssa.CallInstruction{}, pkg: c.pkg}
	for in, v := range u.same.Uses() {
		if !u.note(in, v) && !u.handsOn(in, v) {
			return u, false
		}
	}
	for v := range u.same.All() {
		for st := range flow.StoresTo(v) {
			if !u.same.Has(st.Val) {
				return u, false
			}
		}
		if _, several := v.(*ssa.Phi); several {
			return u, false
		}
	}
	return u, true
}

// from is where the channel made comes from, for who receives.
func (u *chanUses) from(made *ssa.MakeChan) ssa.Instruction {
	if u.out != nil {
		return u.out
	}
	return made
}

// handsOn reports whether in gives the channel v to the caller for which it is made, or to a function of the package that is given it nowhere else.
func (u *chanUses) handsOn(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.Return:
		if u.out == nil || flow.StaticCallee(&u.out.Call) != in.Parent() {
			return false
		}
		u.same.Add(flow.ResultAt(u.out, slices.Index(in.Results, v)))
	case ssa.CallInstruction:
		callee := u.pkg.Own(flow.StaticCallee(in.Common()))
		params := values.Parameters(callee, in.Common(), v)
		if len(params) == 0 || u.given[callee] != nil {
			return false
		}
		u.given[callee] = in
		u.same.Add(params[0])
	default:
		return false
	}
	return true
}
