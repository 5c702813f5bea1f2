package unboundedsync

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A request is what a function has received that has a channel for the answer in one of its fields.
type request struct {
	receive ssa.Instruction
	from    *ssa.BasicBlock // where the function has it
	value   ssa.Value
	ok      ssa.Value  // whether it has got one; nil where the function does not ask
	place   *ssa.Alloc // the variable that it is put into, nil for none
	reply   *types.Var
}

// requests are what in receives, for each field that may be for the answer.
func requests(in ssa.Instruction) []request {
	var out []request
	add := func(q request, ch ssa.Value) {
		elem := ch.Type().Underlying().(*types.Chan).Elem()
		if p, ok := elem.Underlying().(*types.Pointer); ok {
			elem = p.Elem()
		}
		st, ok := elem.Underlying().(*types.Struct)
		if !ok || q.value == nil || q.value.Referrers() == nil {
			return
		}
		for f := range st.Fields() {
			if _, ok := f.Type().Underlying().(*types.Chan); ok {
				q.reply, q.place = f, variableOf(q.value)
				out = append(out, q)
			}
		}
	}
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op != token.ARROW {
			break
		}
		q := request{receive: in, from: in.Block(), value: in}
		if in.CommaOk {
			q.value, q.ok = flow.Extracted(in, 0), flow.Extracted(in, 1)
		}
		add(q, in.X)
	case *ssa.Select:
		received := 0
		for i, s := range in.States {
			if s.Dir != types.RecvOnly {
				continue
			}
			if b := flow.CaseOf(in, i); b != nil {
				add(request{receive: in, from: b, value: flow.Extracted(in, 2+received), ok: flow.Extracted(in, 1)}, s.Chan)
			}
			received++
		}
	}
	return out
}

// variableOf is the variable that v alone is put into, nil for none.
func variableOf(v ssa.Value) *ssa.Alloc {
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if a, ok := st.Addr.(*ssa.Alloc); ok && flow.StoredOnce(a) == v {
				return a
			}
		}
	}
	return nil
}

// answer is a send of an answer, that waits for nothing else, to who has sent q; nil for none.
func (q request) answer() *ssa.Send {
	for in := range flow.Instrs(q.receive.Parent()) {
		if s, ok := in.(*ssa.Send); ok && q.answers(s.Chan) {
			return s
		}
	}
	return nil
}

// answers reports whether ch is the channel for the answer to q.
func (q request) answers(ch ssa.Value) bool {
	p := flow.PathOf(ch)
	return q.is(p.Root) && p.Sel == "."+q.reply.Name()
}

// is reports whether v is q, or the variable with it.
func (q request) is(v ssa.Value) bool {
	return v == q.value || q.place != nil && v == ssa.Value(q.place)
}

// settles reports whether in answers q, or does anything else with it than to read a field that is not for the answer: it may see to the answer.
func (q request) settles(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		return q.is(in.Val) && in.Addr != ssa.Value(q.place)
	case *ssa.FieldAddr:
		return q.is(in.X) && flow.Field(in.X.Type(), in.Field) == q.reply
	case *ssa.Field:
		return q.is(in.X) && flow.Field(in.X.Type(), in.Field) == q.reply
	case *ssa.Extract:
		return false
	}
	return slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op != nil && q.is(*op) })
}
