package requestobject

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// zeroObject reports requests that send a new object after get, which was to fill it, has found nothing: it has no
// name. It follows the feasible paths behind get under the assumption that the error is NotFound, from where the
// function asks for that, up to whatever may write to the object. A test of what is in the object ends a path: it may
// tell that it is empty.
func (c *checker) zeroObject(get request) {
	asks := asksNotFound(get)
	_, made := get.path.Root.(*ssa.Alloc)
	if !made || get.path.Sel != "" || get.Sends != requests.Reads || len(asks) == 0 {
		return
	}
	ops := map[ssa.Instruction]requests.Op{}
	for _, o := range c.reqs.On(get.call.Parent(), get.path) {
		if ops[o.In] = o; o.In != get.call && flow.Reaches(o.In, get.call, nil) {
			return // it may have a name
		}
	}
	reported := map[ssa.Instruction]bool{}
	e := paths.Exploration{Calls: paths.NewCalls(c.pkg), Visit: func(in ssa.Instruction, k *paths.State) (end bool) {
		if test, ok := in.(*ssa.If); ok && k.Value(test.Cond) == flow.Unknown && values.ReadsFrom(test.Cond, get.path) {
			return true
		}
		var asked *ssa.Call
		for _, ask := range asks {
			if in == ask {
				k.Assume(ask, flow.True) // IgnoreNotFound gives nil
			}
			if k.Value(ask) == flow.True {
				asked = ask
			}
		}
		o, ok := ops[in]
		if ok && asked != nil && o.Sends&(requests.Updates|requests.UpdatesStatus|requests.Deletes) != 0 && !reported[in] {
			reported[in] = true
			c.reportZero(get, in, asked)
		}
		return ok
	}}
	e.From(get.call, map[ssa.Value]flow.Truth{flow.ErrorOf(get.call): flow.False})
}

// asksNotFound are the questions whether the error of get is NotFound.
func asksNotFound(get request) (asks []*ssa.Call) {
	err := flow.ErrorOf(get.call)
	for call := range flow.InstrsOf[*ssa.Call](get.call.Parent()) {
		if kubeapi.NotFound.Called(&call.Call) || kubeapi.IgnoreNotFound.Called(&call.Call) {
			if err != nil && flow.Resolve(call.Call.Args[0]) == err {
				asks = append(asks, call)
			}
		}
	}
	return asks
}

// errorCounts reports whether anything is done with the error of call but to log it and to compare it.
func errorCounts(call *ssa.Call) bool {
	err := flow.ErrorOf(call)
	if err == nil {
		return false
	}
	for in := range values.Uses(err) {
		if _, compared := in.(*ssa.BinOp); !compared && !kubeapi.OnlyLogs(in) {
			return true
		}
	}
	return false
}

func (c *checker) reportZero(get request, in ssa.Instruction, asked *ssa.Call) {
	for _, r := range requestsOf(in.Parent()) {
		if r.call != in || !errorCounts(r.call) {
			continue
		}
		rule.Report(c.pass, rule.Finding{
			Pos: r.call.Pos(), Sub: "zeroobject", Site: "nameless-object",
			Message: fmt.Sprintf("%s is empty if Get (line %d) has found nothing: "+
				"%s is refused for want of a name; return before", c.nameOf(r), c.line(get.call), r.name()),
			Related: []analysis.RelatedInformation{
				related(get.call, "it is read here"), related(asked, "it goes on where it was not found"),
			},
		})
	}
}
