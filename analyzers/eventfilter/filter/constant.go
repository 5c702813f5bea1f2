package filter

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// constants reports filters, and comparisons in them, that have one result whatever changed, and old and new objects that were mixed up.
type constants struct {
	pass     *analysis.Pass
	ps       predicates
	handlers []*handler
	reported map[token.Pos]bool
}

func (c *constants) run() {
	updates := map[*ssa.Function]bool{}
	for _, h := range c.handlers {
		updates[h.update] = true
	}
	for _, fn := range c.ps.pkg.Funcs {
		if !kubeapi.IsUpdateFilter(fn.Signature) && !updates[fn] || len(fn.Blocks) == 0 || !rule.Wanted(c.pass, fn.Pos()) {
			continue
		}
		c.tautologies(fn)
	}
	for _, file := range c.pass.Files {
		if !rule.Wanted(c.pass, file.Package) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				c.swappedVariables(a)
			}
			return true
		})
	}
}

func (c *constants) report(site rule.Site, pos token.Pos, format string, args ...any) {
	if c.reported[pos] {
		return
	}
	c.reported[pos] = true
	rule.Report(c.pass, rule.Finding{Pos: pos, Sub: "constant", Site: site, Message: fmt.Sprintf(format, args...)})
}

// pairInputs are the parameters of fn as inputs gives them, or the pair that isFilter recognised.
func pairInputs(fn *ssa.Function) []value {
	values := inputs(fn)
	known := 0
	for _, v := range values {
		if v.kind != unknownValue {
			known++
		}
	}
	if known == 2 || known == 1 && hasEvent(fn) {
		return byName(fn, values)
	}
	values = make([]value, len(fn.Params))
	for i := 1; i < len(fn.Params); i++ {
		a, b := fn.Params[i-1], fn.Params[i]
		if !types.Identical(a.Type(), b.Type()) {
			continue
		}
		switch {
		case says(a.Name()) == saysOld || says(b.Name()) == saysNew:
			values[i-1], values[i] = value{kind: placeValue, side: older}, value{kind: placeValue, side: newer}
			return values
		case says(b.Name()) == saysOld:
			values[i-1], values[i] = value{kind: placeValue, side: newer}, value{kind: placeValue, side: older}
			return values
		}
	}
	return values
}

// byName is values with the sides of two objects exchanged where the parameters of fn are named the other way round: of a function that
// no informer calls, the name decides.
func byName(fn *ssa.Function, values []value) []value {
	for i := 1; i < len(values) && i < len(fn.Params); i++ {
		a, b := &values[i-1], &values[i]
		if a.kind == placeValue && b.kind == placeValue && a.side == older && b.side == newer && says(fn.Params[i-1].Name()) == saysNew && says(fn.Params[i].Name()) == saysOld {
			values = slices.Clone(values)
			values[i-1].side, values[i].side = newer, older
		}
	}
	return values
}

func hasEvent(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return kubeapi.IsEvent(p.Type(), "") })
}

// tautologies reports the comparisons of fn that compare one version with itself.
func (c *constants) tautologies(fn *ssa.Function) {
	for pos, v := range selfComparisons(c.ps, fn) {
		which, other := "new", "old"
		if hasOld, _ := v.sides(); hasOld {
			which, other = other, which
		}
		result := "it has the same result for every update"
		if c.ps.by(fn).judge(anyChange(true)).drops() {
			result = "every update is dropped"
		}
		c.report("self-comparison", pos, "both sides of this comparison are the %s object's %s, so %s; compare it with the %s object's",
			which, describe(v), result, other)
	}
}

// selfComparisons are what fn compares of one version with itself, by the places where it does.
func selfComparisons(ps predicates, fn *ssa.Function) map[token.Pos]value {
	same, other := map[token.Pos]value{}, map[token.Pos]bool{}
	ev := newEvaluation(ps, fn, anyChange(true))
	ev.compared = func(pos token.Pos, a, b value) {
		if hasOld, hasNew := a.sides(); (hasOld || hasNew) && identical(a, b) {
			same[pos] = a
		} else {
			other[pos] = true
		}
	}
	if _, ok := ev.run(fn, pairInputs(fn), nil); !ok {
		return nil
	}
	maps.DeleteFunc(same, func(pos token.Pos, _ value) bool { return other[pos] || !pos.IsValid() })
	return same
}

// describe names what v is made from.
func describe(v value) string {
	if v.kind == derivedValue && len(v.args) > 0 {
		return describe(v.args[0])
	}
	if v.path == "" {
		return "content"
	}
	return strings.TrimPrefix(v.path, "metadata.")
}

// filterName names fn for a message.
func filterName(fn *ssa.Function) string {
	switch {
	case fn.Parent() == nil:
		return flow.FuncName(fn)
	case fn.Signature.Results().Len() == 0:
		return "this handler"
	}
	return "this filter"
}

type age uint8

const (
	saysNothing age = iota
	saysOld
	saysNew
)

// says tells whether a name is that of an old or of a new object: one of its words says so.
func says(name string) age {
	for _, w := range words.Of(name) {
		switch w {
		case "old":
			return saysOld
		case "new", "cur", "current":
			return saysNew
		}
	}
	return saysNothing
}

// swappedVariables reports a variable named as the old object that is taken from the new one of an event.
func (c *constants) swappedVariables(a *ast.AssignStmt) {
	if a.Tok != token.DEFINE {
		return
	}
	for i, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		rhs := a.Rhs[0]
		if len(a.Lhs) == len(a.Rhs) {
			rhs = a.Rhs[i]
		} else if len(a.Rhs) != 1 {
			continue
		}
		named := says(id.Name)
		if named == saysNothing {
			continue
		}
		hasOld, hasNew, copied := c.versions(rhs)
		from := ""
		switch {
		case copied:
		case named == saysOld && hasNew && !hasOld:
			from = kubeapi.NewObject
		case named == saysNew && hasOld && !hasNew && slices.Contains(words.Of(id.Name), "new"): // the current one may be the old one
			from = kubeapi.OldObject
		}
		if from != "" {
			c.report("swapped-variables", id.Pos(), "%s is assigned from %s of the event: old and new are swapped; exchange them", id.Name, from)
			return
		}
	}
}

// versions are the objects of an update event that e mentions, and whether it copies them, perhaps to make a new
// version from the old one.
func (c *constants) versions(e ast.Expr) (hasOld, hasNew, copied bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if kubeapi.NamesCopy(sel.Sel.Name) {
			copied = true
		}
		t := c.pass.TypesInfo.TypeOf(sel.X)
		if t == nil || !kubeapi.IsEvent(t, kubeapi.EventUpdate) {
			return true
		}
		old, ok := kubeapi.EventObject(sel.Sel.Name)
		hasOld, hasNew = hasOld || old, hasNew || ok && !old
		return true
	})
	return hasOld, hasNew, copied
}
