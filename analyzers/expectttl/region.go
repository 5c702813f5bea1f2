package expectttl

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// falseEntries are the blocks that control enters only because the query said false.
//
//	if ok, d := s.Satisfied(k); !ok {
//	    ← entry
//	}
func falseEntries(q query) []*ssa.BasicBlock {
	var entries []*ssa.BasicBlock
	for _, v := range answers(q.call) {
		entries = append(entries, edges(v, 1, 0)...)
	}
	return entries
}

// answers are the values that hold the query's bool.
func answers(call *ssa.Call) []ssa.Value {
	if call.Call.Signature().Results().Len() == 1 {
		return []ssa.Value{call}
	}
	var vs []ssa.Value
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
			vs = append(vs, x)
		}
	}
	return vs
}

// edges follows the bool v to the conditions it decides and gives the successors number succ (0 where the condition
// is true) that nothing else leads to.
func edges(v ssa.Value, succ, depth int) []*ssa.BasicBlock {
	if depth > 4 || v.Referrers() == nil {
		return nil
	}
	var out []*ssa.BasicBlock
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.If:
			if s := r.Block().Succs[succ]; entersOnlyFrom(s, r.Block()) {
				out = append(out, s)
			}
		case *ssa.UnOp:
			if r.Op == token.NOT {
				out = append(out, edges(r, 1-succ, depth+1)...)
			}
		case *ssa.BinOp: // ok == false
			c, ok := r.Y.(*ssa.Const)
			if !ok {
				c, ok = r.X.(*ssa.Const)
			}
			if !ok || c.Value == nil || c.Value.Kind() != constant.Bool || r.Op != token.EQL && r.Op != token.NEQ {
				continue
			}
			if (r.Op == token.EQL) == constant.BoolVal(c.Value) {
				out = append(out, edges(r, succ, depth+1)...)
			} else {
				out = append(out, edges(r, 1-succ, depth+1)...)
			}
		case *ssa.Store: // a variable that a closure captures too
			if alloc, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && onlyStore(alloc, r) {
				for _, u := range *alloc.Referrers() {
					if load, ok := u.(*ssa.UnOp); ok {
						out = append(out, edges(load, succ, depth+1)...)
					}
				}
			}
		}
	}
	return out
}

func onlyStore(alloc *ssa.Alloc, only *ssa.Store) bool {
	for _, u := range *alloc.Referrers() {
		switch u := u.(type) {
		case *ssa.Store:
			if u != only {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// entersOnlyFrom reports whether the edge from b dominates s: every other way into s comes from s itself.
func entersOnlyFrom(s, b *ssa.BasicBlock) bool {
	for _, p := range s.Preds {
		if p != b && !s.Dominates(p) {
			return false
		}
	}
	return b.Succs[0] != b.Succs[1]
}

// explained reports whether the way from entry to the block b hangs on nothing but the query's own results, errors
// that did not happen, and loops that ended. Another condition (the object is being deleted, a dry run) may be the
// very reason why nobody needs to wait.
func explained(q query, entry, b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil && entry.Dominates(d); d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || strings.HasSuffix(d.Comment, ".loop") {
			continue
		}
		for _, s := range d.Succs {
			if s.Dominates(b) && entersOnlyFrom(s, d) && !isErrorTest(cond.Cond) && !dependsOn(cond.Cond, q.call, 0) {
				return false
			}
		}
	}
	return true
}

func isErrorTest(cond ssa.Value) bool {
	b, ok := cond.(*ssa.BinOp)
	return ok && (isError(b.X.Type()) || isError(b.Y.Type())) && (isNil(b.X) || isNil(b.Y))
}

// dependsOn reports whether v is computed from the results of call.
func dependsOn(v ssa.Value, call *ssa.Call, depth int) bool {
	if v == ssa.Value(call) {
		return true
	}
	in, ok := v.(ssa.Instruction)
	if !ok || depth > 12 {
		return false
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if alloc, ok := load.X.(*ssa.Alloc); ok {
			for _, u := range *alloc.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == ssa.Value(alloc) && dependsOn(st.Val, call, depth+1) {
					return true
				}
			}
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && dependsOn(*op, call, depth+1) {
			return true
		}
	}
	return false
}
