package filter

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// pred is a predicate of controller-runtime, as far as it is known what it says of updates.
type pred struct {
	op   predOp
	list []*pred // of and, or and not
	path string  // of a predicate that waits for a change of it
	// update is the function of a predicate that is written by hand; nil where it has none, and so lets everything
	// through. It takes an event, or an object.
	update  *ssa.Function
	others  map[string]*ssa.Function // the same for creations and deletions, of a predicate.Funcs, by field
	pkg     *program.Program         // of update
	summary *filterFact              // what another package says of it
	name    string                   // for messages
	pos     token.Pos
}

type predOp uint8

const (
	opUnknown predOp = iota
	opAnd
	opOr
	opNot
	opField
	opFuncs
	opSummary
)

// judge says what p may do with an update.
func (p *pred) judge(c change) verdict {
	switch p.op {
	case opAnd:
		v := verdict{pass: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass && w.pass, v.drop || w.drop}
		}
		return v
	case opOr:
		v := verdict{drop: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass || w.pass, v.drop && w.drop}
		}
		return v
	case opNot:
		v := p.list[0].judge(c)
		return verdict{v.drop, v.pass}
	case opField:
		d := c.differs(p.path)
		return verdict{pass: d != no, drop: d != yes}
	case opSummary:
		if p.summary.drops(c) {
			return verdict{drop: true}
		}
	case opFuncs:
		if p.update == nil {
			return verdict{pass: true}
		}
		return judge(p.pkg, p.update, inputs(p.update), c)
	}
	return verdict{true, true}
}

// dropsAll reports whether p lets no event through that is for the field of a predicate.Funcs with that name.
func (p *pred) dropsAll(event string) bool {
	drops := func(q *pred) bool { return q.dropsAll(event) }
	switch p.op {
	case opAnd:
		return slices.ContainsFunc(p.list, drops)
	case opOr:
		return len(p.list) > 0 && !slices.ContainsFunc(p.list, func(q *pred) bool { return !drops(q) })
	case opFuncs:
		fn := p.others[event]
		return fn != nil && saysNo(fn)
	}
	return false
}

// saysNo reports whether fn returns false, and nothing else.
func saysNo(fn *ssa.Function) bool {
	some := false
	for ret := range flow.Returns(fn) {
		some = true
		c, ok := ret.Results[0].(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Bool || constant.BoolVal(c.Value) {
			return false
		}
	}
	return some
}

// inputs are the values of the parameters of a filter: events, objects, and unknown ones. Of two objects, the first is
// the old one.
func inputs(fn *ssa.Function) []value {
	values := make([]value, len(fn.Params))
	var objects []int
	first := 0
	if fn.Signature.Recv() != nil {
		first = 1
	}
	for i := first; i < len(fn.Params); i++ {
		t := fn.Params[i].Type()
		switch {
		case kube.IsEvent(t, ""):
			values[i] = value{kind: eventValue}
			return values
		case mayBeObject(t):
			objects = append(objects, i)
		}
	}
	switch len(objects) {
	case 1:
		values[objects[0]] = value{kind: placeValue, side: newer}
	case 2:
		values[objects[0]] = value{kind: placeValue, side: older}
		values[objects[1]] = value{kind: placeValue, side: newer}
	}
	return values
}

// mayBeObject reports whether a parameter of type t may be an object of the cluster.
func mayBeObject(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param || kube.IsAny(t) || kube.IsObject(t)
}

// conjuncts are the predicates that p asks one after the other.
func (p *pred) conjuncts() []*pred {
	if p.op != opAnd {
		return []*pred{p}
	}
	var all []*pred
	for _, q := range p.list {
		all = append(all, q.conjuncts()...)
	}
	return all
}

// understood reports whether it is known what p says of updates.
func (p *pred) understood() bool {
	return p.op != opUnknown && !slices.ContainsFunc(p.list, func(q *pred) bool { return !q.understood() })
}
