package unboundedsync

import (
	"fmt"
	"maps"
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

// groupUses are what a function and the literals in it do with wait groups that are variables of theirs.
type groupUses struct {
	c     *checker
	nest  []*ssa.Function
	adds  map[flow.Path][]*ssa.Call
	waits map[flow.Path][]*ssa.Call
	more  map[flow.Path]bool                   // groups to which something else than one is added
	paid  map[ssa.Instruction][]flow.Path      // the groups for which an instruction says Done, or hands on a function that does
	says  map[*ssa.Function]map[flow.Path]bool // the groups for which a literal says Done, and to which it does not add itself
	spawn []*ssa.Go
}

// A groupDebt is one of the groups.
type groupDebt struct {
	*groupUses
	group flow.Path
}

// groupDebts reports the waits of decl, and of its literals, for groups of which a unit is not paid on some way.
func (c *checker) groupDebts(decl *ssa.Function) {
	u := &groupUses{
		c: c, nest: append([]*ssa.Function{decl}, flow.Literals(decl)...), adds: map[flow.Path][]*ssa.Call{}, waits: map[flow.Path][]*ssa.Call{},
		more: map[flow.Path]bool{}, paid: map[ssa.Instruction][]flow.Path{}, says: map[*ssa.Function]map[flow.Path]bool{},
	}
	u.count()
	if len(u.adds) == 0 || len(u.waits) == 0 {
		return
	}
	u.pay()
	for _, fn := range u.nest {
		for in := range flow.Instrs(fn) {
			group, ok := in.(*ssa.Alloc)
			if !ok {
				continue
			}
			if d := (&groupDebt{u, flow.Path{Root: group}}); len(u.adds[d.group]) > 0 && len(u.waits[d.group]) > 0 && !u.more[d.group] && d.counted(group) {
				d.judge()
			}
		}
	}
}

// counted reports whether it is in sight who says Done for the group, and how often: the function and its literals call its methods, and all who
// pay are Done itself, or goroutines that say it once. A group that is put somewhere, or handed to others, is paid as often as those like.
func (d *groupDebt) counted(group *ssa.Alloc) bool {
	if !onlyMethods(group) {
		return false
	}
	for _, fn := range d.nest {
		for in := range flow.Instrs(fn) {
			if !d.pays(in) {
				continue
			}
			at, ok := in.(ssa.CallInstruction)
			if !ok {
				return false
			}
			spawn, goes := at.(*ssa.Go)
			method, _ := groupMethod(at)
			if method != "Done" && !(goes && d.paysForOne(flow.FuncValue(spawn.Call.Value))) {
				return false
			}
		}
	}
	return true
}

// onlyMethods reports whether v, the address of a group, is used for its methods alone, in its function and in the literals that share it.
func onlyMethods(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == v && (fn.Synthetic != "" || !onlyMethods(fn.FreeVars[i])) {
					return true
				}
			}
			return false
		case *ssa.Store: // of the zero group
			return r.Addr != v
		case ssa.CallInstruction:
			method, _ := groupMethod(r)
			return method == "" || flow.Recv(r.Common()) != v
		}
		return true
	})
}

// count notes who adds to a group, and who waits for it.
func (u *groupUses) count() {
	for _, fn := range u.nest {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			method, group := groupMethod(at)
			call, plain := at.(*ssa.Call)
			switch {
			case method == "Add":
				n, constant := at.Common().Args[1].(*ssa.Const)
				u.more[group] = u.more[group] || !plain || !constant || n.Int64() != 1
				u.adds[group] = append(u.adds[group], call)
			case method == "Wait" && plain:
				u.waits[group] = append(u.waits[group], call)
			}
			if spawn, ok := at.(*ssa.Go); ok {
				u.spawn = append(u.spawn, spawn)
			}
		})
	}
}

// groupMethod is the method of a wait group that in calls, and the group; empty where it calls none.
func groupMethod(in ssa.CallInstruction) (string, flow.Path) {
	fn := flow.Callee(in.Common())
	if fn == nil {
		return "", flow.Path{}
	}
	if s := kube.SymbolOf(fn); s.Pkg != "sync" || s.Recv != "WaitGroup" {
		return "", flow.Path{}
	}
	return fn.Name(), flow.PathOf(flow.Recv(in.Common()))
}

// pay notes who says Done, or hands on a function that does. The literals in others come last, and are looked at first.
func (u *groupUses) pay() {
	for _, fn := range slices.Backward(u.nest) {
		u.says[fn] = map[flow.Path]bool{}
		own := map[flow.Path]bool{} // it adds to them
		for in := range flow.Instrs(fn) {
			if at, ok := in.(ssa.CallInstruction); ok {
				switch method, group := groupMethod(at); method {
				case "Add":
					own[group] = true
					continue
				case "Wait":
					continue
				case "Done":
					u.paid[in] = append(u.paid[in], group)
				}
			}
			u.paid[in] = append(u.paid[in], u.handed(in)...)
			for _, g := range u.paid[in] {
				u.says[fn][g] = true
			}
			if lit, ok := in.(*ssa.MakeClosure); ok {
				maps.Copy(u.says[fn], u.says[lit.Fn.(*ssa.Function)])
			}
		}
		maps.DeleteFunc(u.says[fn], func(g flow.Path, _ bool) bool { return own[g] })
	}
}

// handed are the groups for which the functions say Done that in hands on, or calls.
func (u *groupUses) handed(in ssa.Instruction) (out []flow.Path) {
	if lit, ok := in.(*ssa.MakeClosure); ok {
		if slices.ContainsFunc(*lit.Referrers(), func(r ssa.Instruction) bool {
			_, called := r.(ssa.CallInstruction)
			return !called // it is put somewhere, for others to call
		}) {
			out = slices.Collect(maps.Keys(u.says[lit.Fn.(*ssa.Function)]))
		}
		return out
	}
	at, ok := in.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	common := at.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return nil
	}
	for _, a := range flow.AllArgs(common) {
		if flow.IsFunc(a) {
			out = slices.AppendSeq(out, maps.Keys(u.says[flow.FuncValue(a)]))
		}
	}
	if !common.IsInvoke() {
		out = slices.AppendSeq(out, maps.Keys(u.says[flow.FuncValue(common.Value)]))
	}
	return out
}

// pays reports whether somebody says Done for the group at in, or may do so from there on.
func (d *groupDebt) pays(in ssa.Instruction) bool { return slices.Contains(d.paid[in], d.group) }

// judge reports the first wait, once, where a unit stays unpaid.
func (d *groupDebt) judge() {
	wait := d.waits[d.group][0]
	if !d.c.wanted(flow.Pos(wait)) || parked(wait) != nil {
		return
	}
	for _, add := range d.adds[d.group] {
		if to := d.unpaid(add); to != nil {
			d.report(wait, add, to, "a way from here to the wait, or to the next one, has no Done")
			return
		}
	}
	for _, spawn := range d.spawn {
		member := flow.FuncValue(spawn.Call.Value)
		if !d.says[member][d.group] || !d.paysForOne(member) {
			continue
		}
		if ret := d.leavesUnpaid(member); ret != nil {
			d.report(wait, spawn, ret, "this goroutine may return without its Done")
			return
		}
	}
}

// unpaid is where a way from add comes to without a Done, or one who will say it, in sight: to a wait, or to add again; nil where none does.
func (d *groupDebt) unpaid(add *ssa.Call) (to ssa.Instruction) {
	// Who pays before pays for another one, perhaps for this one, too: a goroutine that waits for it. Who pays in another loop than the one
	// around add pays as often as that turns: how often is not known.
	turns := flow.InLoop(add.Block())
	for in := range flow.Instrs(add.Parent()) {
		if !d.pays(in) {
			continue
		}
		behind := flow.Reaches(add, in, nil)
		if !behind || (turns || flow.InLoop(in.Block())) && !(turns && flow.Reaches(in, add, nil)) {
			return nil
		}
	}
	waits := d.waits[d.group]
	if !slices.ContainsFunc(append(slices.Clone(waits), add), func(to *ssa.Call) bool {
		return to.Parent() == add.Parent() && flow.Reaches(add, to, d.pays)
	}) {
		return nil
	}
	w := ways.Walk{At: func(in ssa.Instruction, _ *ways.Known) bool {
		call, _ := in.(*ssa.Call)
		switch {
		case d.pays(in):
			return true
		case call == add, call != nil && slices.Contains(waits, call):
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
		at, ok := in.(ssa.CallInstruction)
		if !ok || flow.InLoop(in.Block()) {
			return false
		}
		if method, _ := groupMethod(at); method != "Done" {
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

func (d *groupDebt) report(wait *ssa.Call, at, to ssa.Instruction, why string) {
	rule.Report(d.c.pass, rule.Finding{
		Pos: flow.Pos(wait), Sub: "neverstops", Site: "missing-done",
		Message: fmt.Sprintf("%s never ends where what line %d adds to the group is not paid: %s (line %d)", d.c.spelled(wait, flow.Callee(&wait.Call)),
			rule.Line(d.c.pass, flow.Pos(at)), why, rule.Line(d.c.pass, flow.Pos(to))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(at), Message: "the unit is added for this"}, {Pos: flow.Pos(to), Message: "it comes here without a Done"}},
	})
}
