package filter

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// attempts are fn and the functions of the package with which it ends: where one of those has not failed, nothing comes of it but the end, but not those
// for an object that is being deleted.
func (d *dropped) attempts(fn *ssa.Function, s *sources, seen map[*ssa.Function]bool) []*ssa.Function {
	if seen[fn] || keptBack(fn) {
		return nil
	}
	seen[fn] = true
	all := []*ssa.Function{fn}
	flow.Calls(fn, func(in ssa.CallInstruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		if callee := d.ps.pkg.Callee(&call.Call); callee != nil && flow.ErrorResult(callee.Signature) >= 0 && !ofDeleted(call.Block()) && d.endsWith(call, s) {
			all = append(all, d.attempts(callee, s, seen)...)
		}
	})
	return all
}

// endsWith reports whether what comes of the results of call, which gives an error and perhaps a wish besides, is that the function returns them, and
// does nothing else that may wake the reconciler.
func (d *dropped) endsWith(call *ssa.Call, s *sources) bool {
	if n := call.Call.Signature().Results().Len(); n > 2 || n == 2 && !givesResult(&call.Call) {
		return false
	}
	rest := call.Block().Instrs[slices.Index(call.Block().Instrs, ssa.Instruction(call))+1:]
	blocks := flow.BlocksFrom(call.Block())
	for b := range blocks {
		instrs := b.Instrs
		if b == call.Block() {
			instrs = rest
		}
		if d.someMayWake(instrs, s) {
			return false
		}
		ret := flow.ReturnOf(b)
		if ret == nil || failsWithin(b, blocks) {
			continue
		}
		if !leavesWith(ret, call) {
			return false
		}
	}
	return !flow.InLoop(call.Block())
}

// leavesWith reports whether ret returns no wish and no error but those that call gives.
func leavesWith(ret *ssa.Return, call *ssa.Call) bool {
	for i := range ret.Results {
		v := flow.Resolve(flow.Given(ret, i))
		if of := besidesAbsence(v); of != nil {
			v = flow.Resolve(of)
		}
		from, _ := flow.ResultOf(v)
		if from != call && !leavesIt(flow.Given(ret, i)) && !flow.IsNil(v) {
			return false
		}
	}
	return true
}
