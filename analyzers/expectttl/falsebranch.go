package expectttl

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// falseEntries returns the blocks that control enters, for one, because the query said false.
//
//	if ok, d := s.Satisfied(k); !ok {
//	    ← entry
//	}
func falseEntries(q query) []*ssa.BasicBlock {
	if answer := flow.ResultAt(q.call, 0); answer != nil {
		return entered(answer, false, map[ssa.Value]bool{})
	}
	return nil
}

// entered follows the bool v to the conditions it decides and returns the blocks that control goes to where v is val.
// No other way leads there, or only those of conditions that are joined with v's by || or &&.
func entered(v ssa.Value, val bool, seen map[ssa.Value]bool) []*ssa.BasicBlock {
	if seen[v] || v.Referrers() == nil {
		return nil
	}
	seen[v] = true
	defer delete(seen, v) // not a set of visited values: a phi may be reached for both of its values
	var out []*ssa.BasicBlock
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.If:
			s := r.Block().Succs[1]
			if val {
				s = r.Block().Succs[0]
			}
			if flow.EntersOnlyFrom(s, r.Block()) || endsCondition(s, r.Block()) {
				out = append(out, s)
			}
			out = append(out, constantPhis(s, r.Block(), seen)...)
		case *ssa.UnOp:
			if r.Op == token.NOT {
				out = append(out, entered(r, !val, seen)...)
			}
		case *ssa.BinOp: // ok == false
			c, ok := r.Y.(*ssa.Const)
			if !ok {
				c, ok = r.X.(*ssa.Const)
			}
			if !ok || c.Value == nil || c.Value.Kind() != constant.Bool || r.Op != token.EQL && r.Op != token.NEQ {
				continue
			}
			out = append(out, entered(r, val == ((r.Op == token.EQL) == constant.BoolVal(c.Value)), seen)...)
		case *ssa.Phi: // the last part of a || b
			if flow.Joins(r) {
				out = append(out, entered(r, val, seen)...)
			}
		case *ssa.Store: // a variable that a closure captures too
			if flow.SingleStore(r.Addr) == v {
				for load := range flow.Referrers[*ssa.UnOp](r.Addr) {
					out = append(out, entered(load, val, seen)...)
				}
			}
		}
	}
	return out
}

// constantPhis follows the values of a || b that are settled once control goes from p to s.
func constantPhis(s, p *ssa.BasicBlock, seen map[ssa.Value]bool) (out []*ssa.BasicBlock) {
	for phi := range flow.Phis(s) {
		if !flow.Joins(phi) {
			continue
		}
		for i, from := range s.Preds {
			if c, ok := phi.Edges[i].(*ssa.Const); ok && from == p && c.Value != nil && c.Value.Kind() == constant.Bool {
				out = append(out, entered(phi, constant.BoolVal(c.Value), seen)...)
			}
		}
	}
	return out
}

// endsCondition reports whether s is where an if statement goes for the value of p's condition or of others in the same
// statement, p one of several joined by || or &&.
func endsCondition(s, p *ssa.BasicBlock) bool {
	if !flow.OfIf(s) || p.Succs[0] == p.Succs[1] {
		return false
	}
	joined := false
	for _, from := range s.Preds {
		if s.Dominates(from) {
			continue
		}
		if flow.Branch(from) == nil {
			return false
		}
		if from != p && !flow.OfCondition(from) && !flow.OfCondition(p) {
			return false
		}
		joined = joined || from != p
	}
	return joined
}

// onlyQuery reports whether the path condition of b behind entry consists of the query's own results, errors that did
// not occur, and loops that ended. Another condition (the object is being deleted, a dry run) may be the reason for
// which the function need not wait.
func onlyQuery(q query, entry, b *ssa.BasicBlock) bool {
	for test, t := range flow.PathCondition(b) {
		if !entry.Dominates(test.Block()) {
			break
		}
		loops := flow.TestsLoop(test.Block())
		if !loops && t != flow.Unknown && !isErrorTest(test.Cond) && !dependsOn(test.Cond, q.call) {
			return false
		}
	}
	return true
}

func isErrorTest(cond ssa.Value) bool {
	x, _, ok := flow.NilTest(cond)
	return ok && flow.IsError(x.Type())
}

// dependsOn reports whether v is computed from the results of call.
func dependsOn(v ssa.Value, call *ssa.Call) bool {
	return values.DependsOn(v, func(x ssa.Value) bool { return x == ssa.Value(call) })
}
