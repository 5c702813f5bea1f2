package filter

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unheardOf reports the kinds of which the reconciler makes an object whenever there is none, with what is reconciled as its controller, where it watches
// others that it makes in this way but not these: one that is deleted is not made again until something else happens.
func (d *dropped) unheardOf(c *controller, s *sources, given []controllers.Ownership) {
	needs := d.needsIn(c.Reconcile)
	if needs.Again {
		return
	}
	if !slices.ContainsFunc(c.watches, func(w *watch) bool { return w.Role == "Owns" && w.Kind != nil && s.gives(given, w.Kind) }) {
		return
	}
	var reported []string
	for _, n := range needs.Needs {
		if n.What != existence || slices.Contains(reported, n.Kind) || n.in == nil || !makesMissing(n.in) {
			continue
		}
		kind := s.madeKind(given, n)
		if kind == nil || s.tells(kind, false) {
			continue
		}
		reported = append(reported, n.Kind)
		d.report(rule.Finding{Pos: n.pos, Sub: "unwatched", Site: "unwatched-child", Message: fmt.Sprintf(
			"%s makes a %s here, with the %s that it is called for as its controller, and no watch tells of these as of others that it makes: one that somebody deletes stays away until an unrelated event",
			n.By, kindOf(kind), kindOf(s.own[0])),
			Related: []analysis.RelatedInformation{{Pos: flow.Decl(c.Fn).Pos(), Message: "the kinds are watched here"}}})
	}
}

// gives reports whether objects of that kind get what is reconciled as their controller.
func (s *sources) gives(given []controllers.Ownership, kind types.Type) bool {
	return slices.ContainsFunc(given, func(o controllers.Ownership) bool { return s.isGiven(o) && sameType(o.Object, kind) })
}

// isGiven reports whether o gives objects of a kind what is reconciled as their controller.
func (s *sources) isGiven(o controllers.Ownership) bool {
	return o.Controller == flow.Yes && o.Owner != nil && o.Object != nil && s.isOwn(o.Owner)
}

// madeKind is the type of what n makes, where such objects always get what is reconciled as their controller; nil else.
func (s *sources) madeKind(given []controllers.Ownership, n need) (kind types.Type) {
	for _, o := range given {
		if o.Object == nil || kube.Named(o.Object) == nil || kindName(kube.Named(o.Object)) != n.Kind {
			continue
		}
		if !s.isGiven(o) || o.In.Parent() == n.in.Parent() && !flow.Dominates(o.In, n.in) {
			return nil
		}
		kind = o.Object
	}
	return kind
}

// makesMissing reports whether in makes its object where there is none: the function has asked for one, or does not mind that there is one already.
func makesMissing(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	if _, request := kube.RequestOf(&call.Call); !request {
		return true // CreateOrUpdate
	}
	kind := createdBy(in).Type()
	for other := range flow.Instrs(in.Parent()) {
		asked, ok := other.(*ssa.Call)
		if !ok {
			continue
		}
		if callee := flow.Callee(&asked.Call); kube.AsksKind(callee) && callee.Name() == "IsAlreadyExists" && flow.Resolve(asked.Call.Args[0]) == flow.ErrorOf(call) {
			return true
		}
		if r, ok := kube.RequestOf(&asked.Call); ok && r.Verb == kube.VerbGet && flow.Reaches(asked, in, nil) && sameType(r.Asked(&asked.Call), kind) {
			return true
		}
	}
	return false
}
