package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// chanUses are what is done with a channel that one function, its literals, and functions of the package that they give it to have.
type chanUses struct {
	same     map[ssa.Value]bool // the channel, wherever it is loaded
	sends    []*ssa.Send        // that wait for nothing else
	receives []ssa.Instruction  // and selects with a receive
	closes   []ssa.CallInstruction

	out   *ssa.Call                             // that gives it to another function; nil where only the one that makes it has it
	given map[*ssa.Function]ssa.CallInstruction // the one call or go statement that gives it to a function of the package

	pkg   *program.Program
	cells map[ssa.Value]bool // the variables that it is stored to
}

// usesOf are the uses of the channel made; false where others get hold of it, or its variable is set again. Where out is not nil it is a call of the function that
// makes the channel, which returns it: each call has one of its own.
func (c *checker) usesOf(made *ssa.MakeChan, out *ssa.Call) (*chanUses, bool) {
	u := &chanUses{out: out, same: map[ssa.Value]bool{}, given: map[*ssa.Function]ssa.CallInstruction{}, pkg: c.pkg, cells: map[ssa.Value]bool{}}
	return u, u.value(made)
}

// value collects the uses of v, which is the channel.
func (u *chanUses) value(v ssa.Value) bool {
	if u.same[v] {
		return true
	}
	u.same[v] = true
	for _, r := range *v.Referrers() {
		if !u.use(r, v) {
			return false
		}
	}
	return true
}

func (u *chanUses) use(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.Send:
		u.sends = append(u.sends, r)
		return r.Chan == v // it is not sent itself
	case *ssa.UnOp:
		u.receives = append(u.receives, r)
	case *ssa.Select:
		for _, s := range r.States {
			if s.Send == v {
				return false
			}
			if s.Chan == v && s.Dir == types.RecvOnly && !slices.Contains(u.receives, ssa.Instruction(r)) {
				u.receives = append(u.receives, r)
			}
		}
	case *ssa.ChangeType:
		return u.value(r)
	case *ssa.Store:
		_, local := r.Addr.(*ssa.Alloc)
		return local && r.Val == v && u.cell(r.Addr)
	case *ssa.MakeClosure:
		return u.value(r.Fn.(*ssa.Function).FreeVars[slices.Index(r.Bindings, v)])
	case ssa.CallInstruction:
		return u.call(r, v)
	case *ssa.Return:
		return u.out != nil && flow.StaticCallee(&u.out.Call) == r.Parent() && u.returned(r, v)
	default:
		return false
	}
	return true
}

// returned collects the uses of the channel v, which ret gives to who has called.
func (u *chanUses) returned(ret *ssa.Return, v ssa.Value) bool {
	for i, x := range ret.Results {
		if got := flow.ResultAt(u.out, i); x == v && got != nil && !u.value(got) {
			return false
		}
	}
	return true
}

// from is where the channel made comes from, for who receives.
func (u *chanUses) from(made *ssa.MakeChan) ssa.Instruction {
	if u.out != nil {
		return u.out
	}
	return made
}

// call collects the uses of the channel v by what is given it in r: a function of the package that is given it nowhere else.
func (u *chanUses) call(r ssa.CallInstruction, v ssa.Value) bool {
	if b, ok := r.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			u.closes = append(u.closes, r)
			return true
		}
		return b.Name() == "len" || b.Name() == "cap"
	}
	callee, i := u.pkg.Own(flow.StaticCallee(r.Common())), slices.Index(r.Common().Args, v)
	if callee == nil || i < 0 || i >= len(callee.Params) || u.given[callee] != nil {
		return false
	}
	u.given[callee] = r
	return u.value(callee.Params[i])
}

// cell collects the uses of the variable at addr, which holds the channel and nothing else.
func (u *chanUses) cell(addr ssa.Value) bool {
	if u.cells[addr] {
		return false // a second store
	}
	u.cells[addr] = true
	for _, r := range *addr.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.Store:
			ok = u.same[r.Val]
		case *ssa.UnOp:
			ok = u.value(r)
		case *ssa.MakeClosure:
			ok = u.cell(r.Fn.(*ssa.Function).FreeVars[slices.Index(r.Bindings, addr)])
		}
		if !ok {
			return false
		}
	}
	return true
}
