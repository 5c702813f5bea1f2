package losterror

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// WriteError is the fact that the error which a function returns may be that of a request that writes.
type WriteError struct {
	Written string // see writtenBy
}

// AFact marks WriteError as a fact.
func (*WriteError) AFact() {}

// String returns the text that the tests of facts compare.
func (f *WriteError) String() string { return "returns the error of a " + f.Written }

// writtenBy returns what the request writes, other than a deletion, whose error call may return: "write", which is an
// object, or "status"; "" if there is none.
func (c *checker) writtenBy(call *ssa.Call) string {
	r, ok := kubeapi.RequestOf(&call.Call)
	deletes := r.Verb == kubeapi.VerbDelete || r.Verb == kubeapi.VerbDeleteCollection
	switch {
	case ok && (!r.Verb.Writes() || deletes || r.Object != nil && kubeapi.IsEventObject(r.Asked(&call.Call))):
		return ""
	case ok && r.Status:
		return "status"
	case ok, kubeapi.CreateOrChange.Called(&call.Call):
		return "write"
	}
	if args := flow.Args(&call.Call); kubeapi.Retries.Called(&call.Call) && len(args) > 0 {
		return c.writeReturnedBy(c.pkg.Own(flow.FuncValue(args[len(args)-1])))
	}
	if own := c.pkg.Callee(&call.Call); own != nil {
		return c.writeReturnedBy(own)
	}
	var fact WriteError
	if fn := c.pkg.Called(&call.Call); fn != nil && fn.Pkg() != nil && fn.Pkg() != c.pass.Pkg {
		c.pass.ImportObjectFact(fn, &fact)
	}
	return fact.Written
}

// writeReturnedBy returns what the request writes whose error fn may return; of several "write" rather than "status".
func (c *checker) writeReturnedBy(fn *ssa.Function) string {
	if fn == nil || flow.ErrorResult(fn.Signature) < 0 {
		return ""
	}
	return c.writes.Ask(fn, "", func() (written string) {
		origins := values.From()
		for ret := range flow.Returns(fn) {
			origins.Add(flow.Given(ret, flow.ErrorResult(fn.Signature)))
		}
		for v := range origins.Origins(nil) {
			call, i := flow.ResultOf(v)
			if call == nil || i != flow.ErrorResult(call.Call.Signature()) {
				continue
			}
			origins.Add(kubeapi.WrappedErrors(&call.Call)...)
			written = max(written, c.writtenBy(call))
		}
		return written
	})
}
