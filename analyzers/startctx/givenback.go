package startctx

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A RunnableFunc that a function gives back is for its callers to hand to a manager, or to start. Those of an internal package are all of one module: what there
// would be to say is kept as a fact of the function, until one hands it over.

// givenBack is the function of an internal package that gives the RunnableFunc of a back, nil where there is none, or where a is handed to a manager here.
func (c *checker) givenBack(a controllers.Add) *types.Func {
	if a.Mgr != nil || !c.internal() {
		return nil
	}
	fn := a.What.Parent()
	for ret := range flow.Returns(fn) {
		for _, r := range ret.Results {
			if conv := controllers.RunnableFunc(r); conv != nil && ssa.Value(conv) == a.What {
				return flow.Object(fn)
			}
		}
	}
	return nil
}

// exportGivenBack keeps need, which the RunnableFunc of a sees to, as a fact of the function by that gives it back.
func (c *checker) exportGivenBack(by *types.Func, a controllers.Add, need *operation) {
	if rule.IsDependency(c.pass) || !rule.WantedFor(c.pass, "startctx/leaderonly", a.Pos) {
		return
	}
	c.pass.ExportObjectFact(by, &Startable{Dir: link.Dir(c.pass), Need: &link.Kept{
		Sub: "leaderonly", Site: "leader-only-result", At: link.AtOf(c.pass, a.Pos), Message: fmt.Sprintf("%s (%s)", need.text, link.AtOf(c.pass, need.pos)),
		Related: []link.Beside{{At: link.AtOf(c.pass, need.pos), Message: "every replica needs this"}},
	}})
}

// leaderOnlyGiven is about a RunnableFunc that a function of another package has given, and that is handed to a manager here.
func (c *checker) leaderOnlyGiven(a controllers.Add) {
	call, _ := flow.ResultOf(a.What)
	if call == nil {
		return
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == c.pass.Pkg {
		return
	}
	if s, ok := c.needElsewhere(fn.Origin()); ok {
		c.reportKept(s, s.Need, leaderOnlyFuncMessage(s.Need.Message), a.Pos)
	}
}

func leaderOnlyFuncMessage(why string) string {
	return fmt.Sprintf("this RunnableFunc runs on the leader alone, and %s: on the other replicas it never runs", why)
}

// wrapped reports whether v, which no manager is seen to get, is put into something that says by NeedLeaderElection where it runs, or given to a function of
// another package that makes another Runnable of it, which may say so.
func (c *checker) wrapped(v ssa.Value) bool {
	return c.readEverywhere(v, map[ssa.Value]bool{}) || c.wrappedElsewhere(v)
}

// wrappedElsewhere reports whether v goes into a function of another package that gives a Runnable.
func (c *checker) wrappedElsewhere(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			if c.wrappedElsewhere(r) {
				return true
			}
		case *ssa.Call:
			fn := flow.Callee(&r.Call)
			if fn == nil || fn.Pkg() == c.pass.Pkg || r.Call.IsInvoke() && r.Call.Value == v {
				continue
			}
			results := fn.Signature().Results()
			for res := range results.Variables() {
				if start := kube.Method(res.Type(), "Start"); start != nil && controllers.IsStart(start) {
					return true
				}
			}
		}
	}
	return false
}
