package requestobject

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// emptyRequest reports a request that sends a part of an object to which nothing was written since the object was read,
// while another part was. What was written is the union over all paths and callers, so that it is silent where a write
// to the part that is sent reaches the request on some path, or may.
func (c *checker) emptyRequest(r request) {
	ofStatus := r.Sends == requests.UpdatesStatus
	if !ofStatus && (r.Sends != requests.Updates || !c.hasStatus(r.kind)) {
		return
	}
	if r.Verb == kubeapi.VerbPatch && !isDiff(r.Patch) {
		return
	}
	h := c.reqs.Since(r.path, r.call)
	unsent := h.Possible()&requests.Status == 0
	if !ofStatus {
		unsent = h.Possible() == requests.Status && !c.statusLater(r)
	}
	if h.First.In == nil || !unsent {
		return
	}
	said, instead := r.method()+" does not send the status", kubeapi.Status+"()."+r.method()
	if ofStatus {
		said, instead = r.name()+" sends the status only", strings.TrimSuffix(r.method(), kubeapi.Status)
	}
	where, field := "", h.First.Field(requests.Whole)
	if h.First.In.Parent() == r.call.Parent() {
		where = fmt.Sprintf(" (line %d)", c.line(h.First.In))
	}
	rule.Report(c.pass, rule.Finding{
		Pos: r.call.Pos(), Sub: "emptyrequest", Site: "unsent-write",
		Message: fmt.Sprintf("%s: %s%s is never stored; use %s", said, field, where, instead),
		Related: []analysis.RelatedInformation{related(h.First.In, field+" is written here")},
		Fixes:   c.otherPart(r, ofStatus),
	})
}

// isDiff reports whether the patch is the difference between two states of an object.
func isDiff(patch ssa.Value) bool {
	call, ok := flow.Resolve(patch).(*ssa.Call)
	return ok && kubeapi.DiffPatches.Has(flow.Callee(&call.Call))
}

// statusLater reports whether a path leads from behind r to a request that sends the status of its object.
func (c *checker) statusLater(r request) bool {
	return slices.ContainsFunc(c.reqs.On(r.call.Parent(), r.path), func(o requests.Op) bool {
		return o.In != r.call && o.Sends&requests.UpdatesStatus != 0 && flow.Reaches(r.call, o.In, nil)
	})
}
