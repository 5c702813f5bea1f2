package requestobject

import (
	_ "embed"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer reports requests that do not send what was written into their object.
var Analyzer = &analysis.Analyzer{
	Name: "requestobject",
	Doc:  rule.MustExtractDoc(doc, "requestobject"),
	URL:  rule.URLBase + "requestobject.md",
	Flags: rule.Flags(
		rule.Sub{Name: "emptyrequest", Severity: rule.Error},
		rule.Sub{Name: "overwritten", Severity: rule.Error},
		rule.Sub{Name: "zeroobject", Severity: rule.Error},
		rule.Sub{Name: "wrongobject", Severity: rule.Error},
		rule.Sub{Name: "orphanedpods", Severity: rule.Error},
		rule.Sub{Name: "samecopy", Severity: rule.Warning},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, requests.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(Kinds)},
	Run:       rule.Wrap("requestobject", nil, run),
}

// A checker looks at one package.
type checker struct {
	pass *analysis.Pass
	pkg  *program.Program
	reqs *requests.Requests
}

func run(pass *analysis.Pass) (any, error) {
	exportKinds(pass)
	reqs := pass.ResultOf[requests.Analyzer].(*requests.Requests)
	if reqs == nil || rule.IsDependency(pass) {
		return nil, nil
	}
	c := &checker{pass, program.Of(pass), reqs}
	for _, fn := range c.pkg.Funcs {
		all := requestsOf(fn)
		for _, r := range all {
			c.emptyRequest(r)
			c.overwritten(r)
			c.zeroObject(r)
			c.wrongObject(r, all)
		}
		c.orphanedPods(fn)
		c.sameCopy(fn)
	}
	return nil, nil
}

// A request is one with an object of a known kind.
type request struct {
	kubeapi.Request
	call *ssa.Call
	kind *types.Named
	path flow.Path // of the object
	requests.Effect
}

// requestsOf are the requests of fn, in the order of the blocks.
func requestsOf(fn *ssa.Function) (out []request) {
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		r, ok := kubeapi.RequestOf(&call.Call)
		if !ok || r.Object == nil {
			continue
		}
		kind, p := kubeapi.OneKind(flow.Resolve(r.Object).Type()), flow.PathOf(r.Object)
		if kind != nil && p.Known() {
			out = append(out, request{r, call, kind, p, requests.Sent(&call.Call, r)})
		}
	}
	return out
}

// method is the name of the method that makes the request.
func (r request) method() string { return flow.Callee(&r.call.Call).Name() }

// name is how a message calls the method of r.
func (r request) name() string {
	if r.Sends == requests.UpdatesStatus && !kubeapi.UpdatesStatus(r.method()) {
		return kubeapi.Status + "()." + r.method()
	}
	return r.method()
}

// line is the line of in.
func (c *checker) line(in ssa.Instruction) int { return rule.Line(c.pass, flow.Pos(in)) }

// related is a related place at in.
func related(in ssa.Instruction, message string) analysis.RelatedInformation {
	return analysis.RelatedInformation{Pos: flow.Pos(in), Message: message}
}
