package sharing

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// remains reports whether what leads to the origin, which the function has from the instruction at on, still does
// where the effect is: that no variable, element or field on the way has been given another value meanwhile.
func (a *Sharing) remains(at ssa.Instruction, e Effect) bool {
	var load *step
	for s := e.steps; s != nil; s = s.before {
		switch in := s.in.(type) {
		case *ssa.UnOp:
			if s.overwritten(at, &e) {
				return false
			}
			load = s
		case ssa.CallInstruction: // a callee is given the variable's address
			load = s
		case *ssa.Store:
			if load != nil && in.Val == s.v && !a.comes(in, load) {
				return false
			}
			load = nil
		}
	}
	return true
}

// overwritten reports whether what s, a step to e, loads has been put there by its function, on every path from at,
// and does not come from the origin: pods[i] after pods[i] = pod.DeepCopy(), or the map of a struct that is one's
// own. What is put into the memory of the origin is a change of that.
func (s *step) overwritten(at ssa.Instruction, e *Effect) bool {
	load := s.in.(*ssa.UnOp)
	if _, element := load.X.(*ssa.IndexAddr); !element && !s.own {
		return false
	}
	if at.Parent() != load.Parent() {
		at = load.Parent().Blocks[0].Instrs[0]
	}
	some := false
	puts := func(in ssa.Instruction) bool {
		st, ok := in.(*ssa.Store)
		is := ok && sameAddr(st.Addr, load.X) && !e.leads[st.Val] && !e.passes(st)
		some = some || is
		return is
	}
	return at != ssa.Instruction(load) && !flow.Reaches(at, load, puts) && some
}

// passes reports whether in is one of the steps to e.
func (e *Effect) passes(in ssa.Instruction) bool {
	for s := e.steps; s != nil; s = s.before {
		if s.in == in {
			return true
		}
	}
	return false
}

// comes reports whether what st puts into a variable is there where it is loaded.
func (a *Sharing) comes(st *ssa.Store, load *step) bool {
	root, sel := place(st.Addr)
	_, loaded := place(load.v)
	if len(loaded) > len(sel) {
		sel = loaded
	}
	overwrites := map[ssa.Instruction]bool{}
	for _, other := range a.storesTo(root) {
		if _, at := place(other.Addr); other != st && strings.HasPrefix(sel, at) {
			overwrites[other] = true
		}
	}
	stop := func(in ssa.Instruction) bool { return overwrites[in] }
	from, to := ssa.Instruction(st), load.in
	if from.Parent() == to.Parent() {
		return flow.Reaches(from, to, stop)
	}
	// One of them is in a literal, which runs some time after it was made.
	for to.Parent() != from.Parent() && to.Parent().Parent() != nil {
		if !flow.Reaches(to.Parent().Blocks[0].Instrs[0], to, stop) && to.Parent().Blocks[0].Instrs[0] != to {
			return false
		}
		site := flow.ClosureSite(to.Parent())
		if site == nil {
			return false
		}
		to = site
		for other := range overwrites {
			if other.Parent() == to.Parent() && flow.Reaches(to, other, nil) {
				return false
			}
		}
	}
	for from.Parent() != to.Parent() && from.Parent().Parent() != nil {
		site := flow.ClosureSite(from.Parent())
		if site == nil {
			return false
		}
		from = site
	}
	return from.Parent() == to.Parent() && (from == to || flow.Reaches(from, to, stop))
}

// reachable reports whether a feasible path from the start of its function reaches in: none does after a call that
// always fails.
func (a *Sharing) reachable(in ssa.Instruction) bool {
	known, ok := a.reached[in]
	if !ok {
		w := paths.Exploration{Calls: a.calls, Visit: func(at ssa.Instruction, _ *paths.State) bool {
			known = known || at == in
			return known
		}}
		known = !w.Through(in.Parent()) || known // of a walk that was given up nothing is known
		if a.reached == nil {
			a.reached = map[ssa.Instruction]bool{}
		}
		a.reached[in] = known
	}
	return known
}

// storesTo returns the stores to a variable, or to parts of it, in its function and in the literals that share it.
func (a *Sharing) storesTo(root ssa.Value) []*ssa.Store {
	out, ok := a.stores[root]
	if !ok {
		out = slices.Collect(values.StoresIn(root))
		a.stores[root] = out
	}
	return out
}

// feasible reports whether control may flow from the read to the effect with the same object: over the edges of phis
// that carry it, and under the conditions that held at the read.
func (a *Sharing) feasible(r Read, e Effect) bool {
	ends := map[ssa.Instruction]bool{}
	for s := e.steps; s != nil; s = s.before {
		if phi, ok := s.in.(*ssa.Phi); ok {
			for i, edge := range phi.Edges {
				pred := phi.Block().Preds[i]
				jump, isJump := pred.Instrs[len(pred.Instrs)-1].(*ssa.Jump)
				if edge != s.v && isJump && !a.brings(phi, edge, e) {
					ends[jump] = true
				}
			}
		}
	}
	if !a.reachable(r.At) {
		return false
	}
	if r.At.Parent() == e.In.Parent() {
		return a.walk(r.At, e.In, r.found, ends, a.existing(r, e))
	}
	// The effect is in a literal.
	fn := e.In.Parent()
	first := fn.Blocks[0].Instrs[0]
	if first != e.In && !a.walk(first, e.In, nil, ends, nil) {
		return false
	}
	for fn.Parent() != nil && fn.Parent() != r.At.Parent() {
		fn = fn.Parent()
	}
	site := flow.ClosureSite(fn)
	if site == nil || site.Parent() != r.At.Parent() {
		return true // the read is in a literal itself
	}
	return a.walk(r.At, site, r.found, ends, nil)
}

// existing returns tests, in the function of e, of what every object of the cluster has: a version, a UID and a
// creation time. Code tests these to distinguish an object that was found from one that it made; for an object of r,
// they hold. Whether a parameter was found is not known; the result for one that was is assumed.
func (a *Sharing) existing(r Read, e Effect) map[ssa.Value]flow.Truth {
	tests := a.existTests(e.In.Parent())
	if _, param := r.Value.(*ssa.Parameter); len(tests) == 0 || !param && !e.Mixed() {
		return nil
	}
	ours := map[ssa.Value]bool{}
	for v := range e.Values {
		ours[v] = true
	}
	out := map[ssa.Value]flow.Truth{}
	for _, t := range tests {
		if ours[t.of] {
			out[t.test] = t.says
		}
	}
	return out
}

// An existTest is a test that says says of each object of, as long as the server has it.
type existTest struct {
	test, of ssa.Value
	says     flow.Truth
}

// existTests returns those of fn.
func (a *Sharing) existTests(fn *ssa.Function) []existTest {
	if tests, ok := a.exist[fn]; ok {
		return tests
	}
	var out []existTest
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.BinOp:
			c, ok := in.Y.(*ssa.Const)
			if !ok || c.Value == nil || c.Value.Kind() != constant.String || constant.StringVal(c.Value) != "" || in.Op != token.EQL && in.Op != token.NEQ {
				continue
			}
			if of := kubeapi.AlwaysSetOf(in.X); of != nil {
				out = append(out, existTest{in, of, flow.TruthOf(in.Op == token.NEQ)})
			}
		case *ssa.Call:
			if fn := flow.Callee(&in.Call); kubeapi.AsksZero(fn) {
				if of := kubeapi.AlwaysSetOf(flow.Recv(&in.Call)); of != nil {
					out = append(out, existTest{in, of, flow.False})
				}
			}
		}
	}
	if a.exist == nil {
		a.exist = map[*ssa.Function][]existTest{}
	}
	a.exist[fn] = out
	return out
}

// brings reports whether another edge of phi brings what is on the way to the Effect, too.
func (a *Sharing) brings(phi *ssa.Phi, edge ssa.Value, e Effect) bool {
	if edge == ssa.Value(phi) {
		return true
	}
	for s := e.steps; s != nil; s = s.before {
		if s.v == edge {
			return true
		}
	}
	return false
}

// walk reports whether a feasible path leads from one instruction to the other, and past none of ends, where known is
// so at first, and tests whenever they are made.
func (a *Sharing) walk(from, to ssa.Instruction, known map[ssa.Value]flow.Truth, ends map[ssa.Instruction]bool, tests map[ssa.Value]flow.Truth) bool {
	if from == to {
		return true
	}
	reached := false
	w := paths.Exploration{Calls: a.calls, Visit: func(in ssa.Instruction, _ *paths.State) bool {
		if in == to {
			reached = true
		}
		return reached || in == from || ends[in]
	}, Decide: func(cond ssa.Value, _ *paths.State) (flow.Truth, bool) { return tests[cond], false }}
	w.From(from, known)
	return reached
}
