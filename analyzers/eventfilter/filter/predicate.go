package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// predicates are those of a package.
type predicates struct {
	pkg   *program.Program
	fact  func(types.Object) *filterSummary // of the predicate that a function of another package returns, or a variable of one holds
	looks looks
}

// pred is a predicate with what other packages say of it.
type pred struct {
	*kubeapi.Predicate
	ps      predicates
	list    []*pred
	summary *filterSummary
}

// known is p with what other packages say.
func (ps predicates) known(p *kubeapi.Predicate) *pred {
	q := &pred{Predicate: p, ps: ps}
	for _, l := range p.List {
		q.list = append(q.list, ps.known(l))
	}
	if p.Op == kubeapi.OpImported {
		if q.summary = ps.fact(p.Far); q.summary == nil {
			q.Predicate = &kubeapi.Predicate{Pos: p.Pos}
		}
	}
	return q
}

// judge says what p may do with an update.
func (p *pred) judge(c change) verdict {
	switch p.Op {
	case kubeapi.OpAnd:
		v := verdict{pass: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass && w.pass, v.drop || w.drop}
		}
		return v
	case kubeapi.OpOr:
		v := verdict{drop: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass || w.pass, v.drop && w.drop}
		}
		return v
	case kubeapi.OpNot:
		v := p.list[0].judge(c)
		return verdict{v.drop, v.pass}
	case kubeapi.OpBuiltin:
		path := metaPath(p.WaitsFor())
		if path == "" {
			break
		}
		d := c.differs(path)
		return verdict{pass: d != flow.False, drop: d != flow.True}
	case kubeapi.OpImported:
		if p.summary.drops(c) {
			return verdict{drop: true}
		}
	case kubeapi.OpFuncs:
		update := p.Fns[kubeapi.EventUpdate]
		if update == nil {
			return verdict{pass: true}
		}
		return judge(p.ps, update, inputs(update), c)
	}
	return verdict{true, true}
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
		case kubeapi.IsEvent(t, ""):
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
	return param || kubeapi.IsAny(t) || kubeapi.IsObject(t)
}

// conjuncts are the predicates that p asks one after the other.
func (p *pred) conjuncts() []*pred {
	if p.Op != kubeapi.OpAnd {
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
	return p.Op != kubeapi.OpUnknown && !slices.ContainsFunc(p.list, func(q *pred) bool { return !q.understood() })
}
