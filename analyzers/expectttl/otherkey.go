package expectttl

import (
	"fmt"
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkKeys reports what takes back an expectation under a key that none is raised with: all keys with which the store is told to expect are
// namespace and name, and this one is a name alone, or the other way round; or this one is longer than the one with which its function has raised one.
func (g *callGraph) checkKeys() {
	var raised, lowered []*ssa.Call
	for _, fn := range g.pkg.Funcs {
		if g.ofStore(fn) {
			continue
		}
		flow.Calls(fn, func(c ssa.CallInstruction) {
			call, ok := c.(*ssa.Call)
			if !ok {
				return
			}
			switch _, r := storeCall(&call.Call); r {
			case expects:
				raised = append(raised, call)
			case observes, drops:
				lowered = append(lowered, call)
			}
		})
	}
	told := map[*ssa.Function]bool{}
	for _, low := range lowered {
		key := g.slashOf(low)
		s := storeOf(flow.Recv(&low.Call))
		if s.obj == nil || told[low.Parent()] {
			continue
		}
		if up := g.raisedShorter(s, low, raised, lowered); up != nil {
			told[low.Parent()] = true
			g.reportKey(low, up, "a longer key than the one with which this is expected")
			continue
		}
		if key == flow.Either {
			continue
		}
		if up := g.raisedOtherwise(s, key, raised); up != nil {
			told[low.Parent()] = true
			is, other := "a name alone", "namespace and name"
			if key == flow.Yes {
				is, other = other, is
			}
			g.reportKey(low, up, is+", and expectations are raised with "+other)
		}
	}
}

// raisedOtherwise is a call that raises an expectation of s, where all that do so have keys of the other form than key has; nil where one has
// not, or may not have.
func (g *callGraph) raisedOtherwise(s store, key flow.Truth, raised []*ssa.Call) (up *ssa.Call) {
	for _, call := range raised {
		o := storeOf(flow.Recv(&call.Call))
		if !s.mayAlias(o) {
			continue
		}
		if g.slashOf(call) != key.Not() {
			return nil
		}
		if up == nil && s.same(o) {
			up = call
		}
	}
	return up
}

// slashOf reports whether the key of call, a string, holds a slash; a parameter is what all callers give.
func (g *callGraph) slashOf(call *ssa.Call) flow.Truth {
	key := keyOf(&call.Call)
	if key == nil || !flow.IsString(key.Type()) {
		return flow.Either
	}
	p, ok := flow.Resolve(key).(*ssa.Parameter)
	if !ok {
		return kube.HasSlash(key)
	}
	if ast.IsExported(p.Parent().Name()) {
		return flow.Either // others may call it
	}
	i, t := flow.ParamIndex(p.Parent(), p), flow.Either
	for n, caller := range g.pkg.Callers(p.Parent()) {
		args := flow.AllArgs(caller.Common())
		if i < 0 || i >= len(args) {
			return flow.Either
		}
		s := kube.HasSlash(args[i])
		if n > 0 && s != t {
			return flow.Either
		}
		t = s
	}
	return t
}

// raisedShorter is the call behind which low takes back an expectation of s, in its function, where the key of low is always longer: that of an object, and more text. All
// keys with which s is told to expect are those of such objects, so that nothing is expected under the longer one, and no other call of the function takes this back.
func (g *callGraph) raisedShorter(s store, low *ssa.Call, raised, lowered []*ssa.Call) (up *ssa.Call) {
	longer := func(low, up *ssa.Call) bool {
		return kube.Longer(kube.TextOf(keyOf(&low.Call)), kube.TextOf(keyOf(&up.Call)))
	}
	if _, r := storeCall(&low.Call); r != observes || keyOf(&low.Call) == nil {
		return nil
	}
	for _, call := range raised {
		if !s.mayAlias(storeOf(flow.Recv(&call.Call))) {
			continue
		}
		if !namesObject(keyOf(&call.Call)) {
			return nil
		}
		if call.Parent() == low.Parent() && flow.Reaches(call, low, nil) {
			if !longer(low, call) {
				return nil
			}
			up = call
		}
	}
	if up != nil && slices.ContainsFunc(lowered, func(other *ssa.Call) bool {
		return other.Parent() == low.Parent() && s.mayAlias(storeOf(flow.Recv(&other.Call))) && keyOf(&other.Call) != nil && !longer(other, up)
	}) {
		return nil
	}
	return up
}

// namesObject reports whether key, a string, is namespace and name of one object that its function has from elsewhere, or of a request.
func namesObject(key ssa.Value) bool {
	if key == nil || !flow.IsString(key.Type()) {
		return false
	}
	p := kube.TextOf(key)
	return len(p) == 3 && p[0].Field == "Namespace" && p[1].Text == "/" && p[2].Field == "Name" && p[0].Of == p[2].Of
}

func (g *callGraph) reportKey(low, up *ssa.Call, what string) {
	rule.Report(g.pass, rule.Finding{
		Pos: flow.Pos(low), Sub: "notlowered", Site: "mismatched-key",
		Message: fmt.Sprintf("%s is given %s (line %d): nothing is expected under this key, and what is expected under the other one stays",
			flow.Callee(&low.Call).Name(), what, rule.Line(g.pass, flow.Pos(up))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(up), Message: "raised here"}},
	})
}
