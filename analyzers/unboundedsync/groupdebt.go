package unboundedsync

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// What is added to a sync.WaitGroup is a debt: who waits for the group waits until each unit is paid by a Done. On every way from an Add(1) to
// the wait, or to the next Add(1) at the same place, somebody takes it over: a goroutine that says Done on all its ways, or Done itself.

// A groupDebt is a wait group that is a variable of a function, and that the literals in it share.
type groupDebt struct {
	c     *checker
	group flow.Path
	nest  []*ssa.Function // the function and its literals
	adds  []*ssa.Call     // of one each
	waits []*ssa.Call
}

// groupDebts reports the waits of decl, and of its literals, for groups of which a unit is not paid on some way.
func (c *checker) groupDebts(decl *ssa.Function) {
	nest := append([]*ssa.Function{decl}, flow.Literals(decl)...)
	for _, fn := range nest {
		for in := range flow.Instrs(fn) {
			group, ok := in.(*ssa.Alloc)
			if !ok || !kube.IsType(group.Type().Underlying().(*types.Pointer).Elem(), "sync", "WaitGroup") {
				continue
			}
			d := &groupDebt{c: c, group: flow.Path{Root: group}, nest: nest}
			if d.find() {
				d.judge()
			}
		}
	}
}

// find fills d; false where more is added than one by one, or nobody waits.
func (d *groupDebt) find() bool {
	ok := true
	for _, fn := range d.nest {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			call, plain := at.(*ssa.Call)
			switch {
			case d.does(at, "Add"):
				n, constant := at.Common().Args[1].(*ssa.Const)
				ok = ok && plain && constant && n.Int64() == 1
				d.adds = append(d.adds, call)
			case plain && d.does(at, "Wait"):
				d.waits = append(d.waits, call)
			}
		})
	}
	return ok && len(d.adds) > 0 && len(d.waits) > 0
}

// does reports whether in calls that method of the group.
func (d *groupDebt) does(in ssa.CallInstruction, method string) bool {
	return (kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: method}).Is(flow.Callee(in.Common())) && flow.PathOf(flow.Recv(in.Common())) == d.group
}

// judge reports the first wait, once, where a unit stays unpaid.
func (d *groupDebt) judge() {
	wait := d.waits[0]
	if !d.c.wanted(flow.Pos(wait)) {
		return
	}
	for _, add := range d.adds {
		if to := d.unpaid(add); to != nil {
			d.report(wait, add, to, "a way from here to the wait, or to the next one, has no Done")
			return
		}
	}
	for _, fn := range d.nest {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			spawn, ok := at.(*ssa.Go)
			if !ok {
				return
			}
			if member := d.c.pkg.Own(flow.FuncValue(spawn.Call.Value)); member != nil && slices.Contains(d.nest, member) && d.paysForOne(member) {
				if ret := d.leavesUnpaid(member); ret != nil {
					d.report(wait, spawn, ret, "this goroutine may return without its Done")
				}
			}
		})
	}
}

// unpaid is where a way from add comes to without a Done, or one who will say it, in sight: to a wait, or to add again; nil where none does.
func (d *groupDebt) unpaid(add *ssa.Call) (to ssa.Instruction) {
	// Who pays in another loop than the one around add pays as often as that turns: how often is not known.
	turns := flow.InLoop(add.Block())
	for in := range flow.Instrs(add.Parent()) {
		if d.pays(in) && (turns || flow.InLoop(in.Block())) && !(turns && flow.Reaches(add, in, nil) && flow.Reaches(in, add, nil)) {
			return nil
		}
	}
	w := ways.Walk{At: func(in ssa.Instruction, _ *ways.Known) bool {
		call, _ := in.(*ssa.Call)
		switch {
		case d.pays(in):
			return true
		case call == add, call != nil && slices.Contains(d.waits, call):
			to = in
			return true
		}
		return to != nil
	}}
	if !w.From(add, nil) {
		return nil
	}
	return to
}

// paysForOne reports whether member says Done itself, and once: one who does so for others, or lets others do it, is told how many they are.
func (d *groupDebt) paysForOne(member *ssa.Function) bool {
	some := false
	for in := range flow.Instrs(member) {
		if !d.pays(in) {
			continue
		}
		if at, ok := in.(ssa.CallInstruction); !ok || !d.does(at, "Done") || flow.InLoop(in.Block()) {
			return false
		}
		some = true
	}
	return some
}

// leavesUnpaid is a return of member that comes without a Done before it, or deferred; nil where all have one.
func (d *groupDebt) leavesUnpaid(member *ssa.Function) (ret ssa.Instruction) {
	first := member.Blocks[0].Instrs[0]
	w := ways.Walk{
		At: func(in ssa.Instruction, _ *ways.Known) bool { return d.pays(in) || ret != nil },
		Return: func(r *ssa.Return, _ *ways.Known) {
			if ret == nil {
				ret = r
			}
		},
	}
	if d.pays(first) || !w.From(first, nil) {
		return nil
	}
	return ret
}

// pays reports whether in says Done, or hands the group, or a function that says it, to somebody who may.
func (d *groupDebt) pays(in ssa.Instruction) bool {
	if lit, ok := in.(*ssa.MakeClosure); ok {
		return d.saysDone(lit.Fn.(*ssa.Function)) && slices.ContainsFunc(*lit.Referrers(), func(r ssa.Instruction) bool {
			_, called := r.(ssa.CallInstruction)
			return !called // it is put somewhere, for others to call
		})
	}
	at, ok := in.(ssa.CallInstruction)
	if !ok || d.does(at, "Add") || d.does(at, "Wait") {
		return false
	}
	if d.does(at, "Done") {
		return true
	}
	common := at.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return false
	}
	for _, a := range flow.AllArgs(common) {
		if lit := d.c.pkg.Own(flow.FuncValue(a)); flow.PathOf(a) == d.group || flow.IsFunc(a) && (lit == nil || d.saysDone(lit)) {
			return true
		}
	}
	if common.IsInvoke() {
		return false
	}
	callee := flow.FuncValue(common.Value)
	if callee == nil {
		return true // a variable: perhaps a function that does
	}
	return slices.Contains(d.nest, callee) && d.saysDone(callee)
}

// saysDone reports whether fn, or a literal in it, says Done for more than what it adds itself.
func (d *groupDebt) saysDone(fn *ssa.Function) bool {
	done, adds := false, false
	for _, f := range append([]*ssa.Function{fn}, flow.Literals(fn)...) {
		flow.Calls(f, func(at ssa.CallInstruction) {
			done = done || d.does(at, "Done") || slices.ContainsFunc(flow.AllArgs(at.Common()), func(a ssa.Value) bool { return !d.does(at, "Add") && !d.does(at, "Wait") && flow.PathOf(a) == d.group })
			adds = adds || d.does(at, "Add")
		})
	}
	return done && !adds
}

func (d *groupDebt) report(wait *ssa.Call, at, to ssa.Instruction, why string) {
	rule.Report(d.c.pass, rule.Finding{
		Pos: flow.Pos(wait), Sub: "neverstops",
		Message: fmt.Sprintf("%s never ends where what line %d adds to the group is not paid: %s (line %d)", d.c.spelled(wait, flow.Callee(&wait.Call)),
			rule.Line(d.c.pass, flow.Pos(at)), why, rule.Line(d.c.pass, flow.Pos(to))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(at), Message: "the unit is added for this"}, {Pos: flow.Pos(to), Message: "it comes here without a Done"}},
	})
}
