package filter

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// neverEqual reports the comparisons of strings in fn, which says something of one object, that come out the same for all objects: one side
// always has a slash, and the other one never has.
func (c *constants) neverEqual(fn *ssa.Function) {
	if !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return kube.IsObject(p.Type()) || kube.IsEvent(p.Type(), "") }) ||
		fn.Signature.Results().Len() != 1 || !flow.IsBool(fn.Signature.Results().At(0).Type()) {
		return
	}
	for in := range flow.Instrs(fn) {
		cmp, ok := in.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !flow.IsString(cmp.X.Type()) {
			continue
		}
		x, y := kube.HasSlash(cmp.X), kube.HasSlash(cmp.Y)
		_, constant := cmp.Y.(*ssa.Const)
		if x == flow.Either || y != x.Not() || constant {
			continue
		}
		c.report("incomparable-forms", cmp.Pos(), "%s compares what always has a slash with what never has one, so that the comparison has the same answer for all objects", filterName(fn))
	}
}
