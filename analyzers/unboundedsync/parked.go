package unboundedsync

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// parked is the Add before the wait for a group that nobody but its function has, which adds to it just before it waits, and does nothing in between: that is a
// `select {}` spelt otherwise, since nobody is there who could have forgotten a Done. It is nil for other waits, and for one with work behind it.
func parked(wait *ssa.Call) *ssa.Call {
	group, ok := flow.Recv(&wait.Call).(*ssa.Alloc)
	if !ok || !onlyMethods(group) || workBehind(wait) != nil {
		return nil
	}
	var parks *ssa.Call
	for _, r := range *group.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			if _, shared := r.(*ssa.MakeClosure); shared {
				return nil
			}
			continue
		}
		switch method, _ := groupMethod(call); {
		case method == "Wait":
		case method == "Add" && addsSome(call) && justBefore(call, wait):
			parks = call.(*ssa.Call)
		default:
			return nil
		}
	}
	return parks
}

// addsSome reports whether the call of Add adds more than nothing.
func addsSome(add ssa.CallInstruction) bool {
	n, constant := add.Common().Args[1].(*ssa.Const)
	return constant && n.Int64() > 0
}

// justBefore reports whether add is a call that comes before the wait on all ways there, and only others to methods of groups, and logs, between them.
func justBefore(add ssa.CallInstruction, wait *ssa.Call) bool {
	if _, plain := add.(*ssa.Call); !plain || !flow.Dominates(add, wait) {
		return false
	}
	for in := range flow.Instrs(wait.Parent()) {
		if in == ssa.Instruction(add) || in == ssa.Instruction(wait) || !busies(in) {
			continue
		}
		if flow.Reaches(add, in, func(on ssa.Instruction) bool { return on == ssa.Instruction(wait) }) && flow.Reaches(in, wait, nil) {
			return false
		}
	}
	return true
}

// busies reports whether in does something, or has others do it.
func busies(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.MakeClosure:
		return true
	case ssa.CallInstruction:
		method, _ := groupMethod(in)
		return method == "" && !kube.OnlyLogs(in)
	}
	return false
}
