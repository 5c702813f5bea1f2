package requestobject

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// sameCopy reports updates in a function literal that is run again after a conflict, of an object from outside of it
// that nothing in there may read anew: each further try sends the same resource version.
func (c *checker) sameCopy(fn *ssa.Function) {
	for retry := range flow.InstrsOf[*ssa.Call](fn) {
		if !kubeapi.RetryOnConflict.Called(&retry.Call) {
			continue
		}
		again := c.pkg.Own(flow.FuncValue(retry.Call.Args[1]))
		if again == nil || again.Parent() == nil {
			continue
		}
		for _, r := range requestsOf(again) {
			renewed := func(o requests.Op) bool { return o.In != r.call && (o.Sends != 0 || renews(o)) }
			if r.Verb != kubeapi.VerbUpdate || r.path.Root.Parent() == again || !c.wasRead(r.path, retry) ||
				slices.ContainsFunc(c.reqs.On(again, r.path), renewed) {
				continue
			}
			rule.Report(c.pass, rule.Finding{
				Pos: r.call.Pos(), Sub: "samecopy", Site: "retried-copy",
				Message: c.nameOf(r) + " is not read again in the function that RetryOnConflict runs: " +
					"each try has the same conflict; Get it there first",
				Related: []analysis.RelatedInformation{related(retry, "the function is run again after a conflict")},
			})
		}
	}
}

// wasRead reports whether the object at p, at the call of RetryOnConflict, has the content that a request has read.
func (c *checker) wasRead(p flow.Path, at *ssa.Call) bool {
	if root, ok := p.Root.(*ssa.Parameter); ok {
		return kubeapi.IsObject(root.Type())
	}
	if call, _ := flow.ResultOf(p.Root); call != nil {
		r, ok := kubeapi.RequestOf(&call.Call)
		return ok && r.Verb == kubeapi.VerbGet
	}
	filled := func(o requests.Op) bool { return o.Fills && flow.Reaches(o.In, at, nil) }
	return slices.ContainsFunc(c.reqs.On(at.Parent(), p), filled)
}
