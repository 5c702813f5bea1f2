package unboundedsync

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// outlives reports a wait that ends with the object that its function belongs to, where the function takes nothing that could
// end it before.
func (c *checker) outlives(call ssa.CallInstruction, w wait) bool {
	fn := call.Parent()
	if fn.Parent() != nil || ownBound(fn) != nil || c.bringsUp(fn) {
		return false
	}
	end := c.endOfWait(call, w)
	if end.Limit != blocking.Owner || c.setBy(fn, end.Site) {
		return false
	}
	what := w.What
	if w.Through != "" {
		what = fmt.Sprintf("%s (%s, through %s)", w.What, w.At, w.Through)
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(call), Sub: "lifetime", Site: "owner-lifetime-wait",
		Message: fmt.Sprintf("%s waits for %s until %s ends, as long as its owner lives: no caller can bound it", what, w.Kind.For(), flow.PathOf(end.Site)),
	})
	return true
}

// setBy reports whether fn, or what it runs or starts, has a hand in what ends the wait: it fills the field from which load
// has it, closes the channel in it, or calls a function that may cancel it.
func (c *checker) setBy(fn *ssa.Function, load ssa.Value) bool {
	fires, field := c.bounds.Firers(load), fieldOf(load)
	for f := range c.bounds.Reach(fn) {
		if slices.Contains(fires, f) {
			return true
		}
		for _, fa := range flow.FieldStores(f) {
			if field != nil && field == flow.Field(fa.X.Type(), fa.Field) {
				return true
			}
		}
	}
	return false
}

// fieldOf is the field that v is read from.
func fieldOf(v ssa.Value) *types.Var {
	switch x := v.(type) {
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			return flow.Field(fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		return flow.Field(x.X.Type(), x.Field)
	}
	return nil
}

// bringsUp reports whether fn is called by nothing but what brings a process up: a process that ends is what ends its waits, too.
func (c *checker) bringsUp(fn *ssa.Function) bool {
	seen := map[*ssa.Function]bool{fn: true}
	work := []*ssa.Function{fn}
	for i := 0; i < len(work); i++ {
		f := flow.Decl(work[i])
		if f.Signature.Recv() == nil && (f.Name() == "main" || f.Name() == "init" || strings.HasPrefix(f.Name(), "init#")) {
			continue
		}
		callers := c.pkg.Callers(f)
		if len(callers) == 0 {
			return false
		}
		for _, call := range callers {
			if in := call.Parent(); !seen[in] {
				seen[in] = true
				work = append(work, in)
			}
		}
	}
	return true
}
