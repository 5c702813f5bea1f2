package filter

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unowned reports the watches of c that queue the owners of objects which are their controllers, where all owners that the package gives
// such objects are none.
func (d *dropped) unowned(c *controller, given func() []kubeapi.Ownership) {
	if needs := d.needsOf(c); needs == nil || needs.Always {
		return
	}
	for _, w := range c.watches {
		owner, only := c.Owner(w.Watch)
		if owner == nil || !only || w.Kind == nil || d.otherWatch(c, w, anyChange(true)) {
			continue
		}
		if in := neverController(given(), owner, w.Kind); in != nil {
			watch, all := w.Role, "builder.MatchEveryOwner"
			if w.Role != kubeapi.RoleOwns {
				watch, all = "this watch", "follow all owners"
			}
			d.report(rule.Finding{Pos: w.Pos, Sub: "constant", Site: "non-controller-owner", Message: fmt.Sprintf(
				"%s gets a plain owner reference from %s (line %d), but %s follows only controller references; use SetControllerReference or %s",
				kindOf(w.Kind), flow.FuncName(in.Parent()), rule.Line(d.pass, in.Pos()), watch, all),
				Related: []analysis.RelatedInformation{{Pos: in.Pos(), Message: "the owner is set here"}}})
		}
	}
}

// neverController is the first place in the source where an object of that kind gets such an owner, if none makes one its controller, or may; nil else.
func neverController(given []kubeapi.Ownership, owner, kind types.Type) (first ssa.Instruction) {
	for _, o := range given {
		named := kubeapi.Named(owner)
		other := o.Object != nil && !sameType(o.Object, kind) || o.Owner != nil && !sameType(o.Owner, owner) ||
			o.Owner == nil && o.Kind != "" && named != nil && o.Kind != named.Obj().Name()
		switch known := o.Object != nil && (o.Owner != nil || o.Kind != ""); {
		case other:
		case o.Controller != flow.False:
			return nil
		case known && (first == nil || o.In.Pos() < first.Pos()):
			first = o.In
		}
	}
	return first
}
