package cachemutation

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// report reports, for each object that a cache gives out, the first write to it. Who copies it there mends them all.
func (a *mutations) report() {
	var all []read
	for _, fn := range a.p.All() {
		all = append(all, a.reads(fn)...)
	}
	all = append(all, a.handled()...)
	told := map[token.Pos]bool{}
	for _, r := range all {
		var found []effect
		a.trace(r.at.Parent(), r.v, r.sh, func(e effect) {
			if e.deed != returned && (e.sh.object || !r.untyped) && rule.Wanted(a.pass, flow.Pos(e.in)) {
				found = append(found, e)
			}
		})
		slices.SortStableFunc(found, func(x, y effect) int {
			return cmp.Or(cmp.Compare(flow.Pos(x.in), flow.Pos(y.in)), cmp.Compare(x.sh.via, y.sh.via))
		})
		found = slices.DeleteFunc(found, func(e effect) bool { return !a.remains(e) || !a.feasible(r, e) })
		if len(found) == 0 || told[flow.Pos(found[0].in)] {
			continue
		}
		told[flow.Pos(found[0].in)] = true
		a.tell(r, found[0], found[1:])
	}
}

// tell reports that e writes to what r reads.
func (a *mutations) tell(r read, e effect, later []effect) {
	f := rule.Finding{Pos: flow.Pos(e.in), Sub: sub(r, e), Confidence: rule.Certain}
	if r.at.Parent() != e.in.Parent() || r.sub == "param" || r.sub == "returned" || mixed(e) {
		f.Confidence = rule.Possible
	}
	object := cmp.Or(objectName(e), "object")
	held := "the " + object + " that " + r.of + " still holds"
	switch {
	case r.sub == "param":
		held = "the " + object + " that the informer still holds and has given to its handlers"
	case r.sub == "disabled":
		held = "the " + object + " that the cache of " + r.of + " still holds, since the read does not copy"
	case r.sub == "returned":
		held = "the " + object + " that a cache still holds, behind " + r.of
	}
	stays := "until the server sends another one"
	if line := a.request(e); line > 0 {
		stays = fmt.Sprintf("even if the request at line %d fails", line)
	}
	f.Message = fmt.Sprintf("%s %s: all who read it there see the change, %s; change a DeepCopy", a.does(e), held, stays)
	if _, isCall := r.at.(*ssa.Call); isCall {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(r.at), Message: "it comes from the cache here, and is not copied"})
	}
	f.Fixes = a.fixes(r, e, later)
	rule.Report(a.pass, f)
}

// does says what e does.
func (a *mutations) does(e effect) string {
	where := ""
	if e.where != (Place{}) {
		where = " (" + e.where.String() + ")"
	}
	switch {
	case e.deed == decoded:
		return e.callee + where + " writes the server's answer into"
	case e.deed == given:
		return e.callee + where + " writes " + e.what + " of"
	case e.callee != "":
		return e.callee + " writes to"
	}
	return "this writes " + e.what + " of"
}

// request is the line of the first request behind e, in its function, that sends what it has written to; 0 for none.
func (a *mutations) request(e effect) int {
	ours := map[ssa.Value]bool{}
	for s := e.steps; s != nil; s = s.before {
		ours[s.v] = true
	}
	first := token.NoPos
	for in := range flow.Instrs(e.in.Parent()) {
		c, ok := in.(ssa.CallInstruction)
		if !ok || c.Pos() < flow.Pos(e.in) || first.IsValid() && c.Pos() > first {
			continue
		}
		if r, ok := kube.RequestOf(c.Common()); ok && r.Verb.Writes() && r.Object != nil && (ours[r.Object] || ours[flow.Unwrap(r.Object)]) && in != e.in {
			first = c.Pos()
		}
	}
	if !first.IsValid() {
		return 0
	}
	return rule.Line(a.pass, first)
}

// mixed reports whether something else may be in the variable than what the cache gave.
func mixed(e effect) bool {
	for s := e.steps; s != nil; s = s.before {
		if _, ok := s.in.(*ssa.Phi); ok {
			return true
		}
	}
	return false
}

// objectName is the name of the type of object that is written to.
func objectName(e effect) string {
	for s := e.steps; s != nil; s = s.before {
		if kube.IsObject(s.v.Type()) {
			if n := flow.Named(s.v.Type()); n != "" && n != "Object" && n != "ObjectMeta" {
				return n
			}
		}
	}
	return ""
}

// sub is the sub-rule that e, of what r reads, belongs to.
func sub(r read, e effect) string {
	switch {
	case r.sub == "disabled":
		return r.sub
	case e.deed == decoded:
		return "writeback"
	case e.deed == given:
		return "callee"
	case r.sub != "":
		return r.sub
	}
	switch e.sh.via {
	case inAlias:
		return "alias"
	case inCopy:
		return "shallow"
	case inElement:
		return "deep"
	}
	return "write"
}
