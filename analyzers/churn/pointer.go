package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spread"
)

// fieldSet is the kind of the condition that the program stores new pointers in a field.
const fieldSet = "field set"

// pointers returns the findings about == and != between two fields that are pointers to numbers, text, times or
// quantities: addresses differ for two objects, whatever they point to. It goes by the syntax and types of one function,
// without data flow. A function that dereferences an operand anywhere, by its spelling, is left alone: equal addresses
// are a quick way to say yes. So is a comparison that decides about logs and metrics alone. The finding waits for a
// program that stores a new pointer in such a field: where none does, one side may always be nil. In a function that gets
// an update event, both sides may be what a user has set.
func pointers(pass *analysis.Pass) (all []pointerFinding) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			var found []*ast.BinaryExpr
			ast.Inspect(decl, func(n ast.Node) bool {
				bin, ok := n.(*ast.BinaryExpr)
				if ok && comparesAddresses(pass.TypesInfo, bin) && rule.Wanted(pass, bin.OpPos) && !decidesOnLogs(pass, bin) {
					found = append(found, bin)
				}
				return true
			})
			if len(found) == 0 {
				continue
			}
			derefs, event := operandsIn(pass.TypesInfo, decl)
			found = slices.DeleteFunc(found, func(bin *ast.BinaryExpr) bool {
				return derefs[types.ExprString(bin.X)] || derefs[types.ExprString(bin.Y)]
			})
			if len(found) > 0 {
				f := pointerFindingOf(pass, found)
				f.sure = event
				all = append(all, f)
			}
		}
	}
	return all
}

// operandsIn returns the spellings of the pointers that decl dereferences, and whether a function in it gets an update
// event.
func operandsIn(info *types.Info, decl ast.Decl) (derefs map[string]bool, event bool) {
	derefs = map[string]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			event = event || kubeapi.IsEvent(info.TypeOf(n.Type), kubeapi.EventUpdate)
		case *ast.StarExpr:
			derefs[types.ExprString(n.X)] = true
		}
		return true
	})
	return derefs, event
}

// A pointerFinding waits for one of its conditions, unless it is sure.
type pointerFinding struct {
	rule.Finding
	waits []link.Condition
	sure  bool
}

// pointerFindingOf returns the finding about the comparisons of one function, which is at the first of them.
func pointerFindingOf(pass *analysis.Pass, found []*ast.BinaryExpr) (f pointerFinding) {
	f.Finding = rule.Finding{Pos: found[0].Pos(), End: found[0].End(), Sub: "pointer", Site: "compared-addresses"}
	f.Message = fmt.Sprintf("%s and %s are pointers: %s compares their addresses, not what they point to; use ptr.Equal",
		types.ExprString(found[0].X), types.ExprString(found[0].Y), found[0].Op)
	var edits []analysis.TextEdit
	for i, bin := range found {
		for _, e := range []ast.Expr{bin.X, bin.Y} {
			p := selected(pass.TypesInfo.Selections[ast.Unparen(e).(*ast.SelectorExpr)])
			f.waits = append(f.waits, link.Condition{Kind: fieldSet, Of: p.Name()})
		}
		if i > 0 {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: bin.Pos(), Message: "these are compared by their addresses, too"})
		}
		if call := equalCall(pass, bin, types.ExprString(bin.X), types.ExprString(bin.Y)); call != "" {
			if bin.Op == token.NEQ {
				call = "!" + call
			}
			edits = append(edits, analysis.TextEdit{Pos: bin.Pos(), End: bin.End(), NewText: []byte(call)})
		}
	}
	if len(edits) == len(found) {
		f.Fixes = []analysis.SuggestedFix{{Message: "compare what they point to", TextEdits: edits}}
	}
	return f
}

// selected returns the field at the end of a selection, with the struct that declares it; the zero Part where that has
// no name.
func selected(sel *types.Selection) (p spread.Part) {
	t := sel.Recv()
	for _, i := range sel.Index() {
		var ok bool
		if p, ok = spread.PartOf(t, i); !ok {
			return spread.Part{}
		}
		t = flow.Field(t, i).Type()
	}
	return p
}

// reportPointers reports the findings for whose fields the package itself stores new pointers, defers the others, and
// adds a use for each field in which it does.
func reportPointers(u *link.Unit[Part], p *program.Program, found []pointerFinding) {
	set := map[link.Condition]bool{}
	for st, to := range flow.FieldStores(p.All()...) {
		part, ok := spread.PartOf(to.X.Type(), to.Field)
		if !ok || !hasNoIdentity(st.Val.Type()) || !rule.Wanted(u.Pass, st.Pos()) {
			continue
		}
		switch flow.Resolve(st.Val).(type) {
		case *ssa.Alloc, *ssa.Call, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
			set[link.Condition{Kind: fieldSet, Of: part.Name()}] = true
		}
	}
	for c := range set {
		u.Uses = append(u.Uses, link.Use{Of: c, Always: true})
	}
	slices.SortFunc(u.Uses, func(a, b link.Use) int { return strings.Compare(a.Of.Of, b.Of.Of) })
	slices.SortFunc(found, func(a, b pointerFinding) int {
		return strings.Compare(a.waits[0].Of+a.Message, b.waits[0].Of+b.Message)
	})
	for _, f := range found {
		if f.sure || slices.ContainsFunc(f.waits, func(c link.Condition) bool { return set[c] }) {
			rule.Report(u.Pass, f.Finding)
		} else {
			u.Defer(f.Finding, f.waits...)
		}
	}
}

// equalCall returns a call that compares what x and y point to; "" where none is in scope.
func equalCall(pass *analysis.Pass, bin *ast.BinaryExpr, x, y string) string {
	if m := kubeapi.Method(pass.TypesInfo.TypeOf(bin.X), "Equal"); m != nil && types.Identical(m.Signature().Params().At(0).Type(), pass.TypesInfo.TypeOf(bin.Y)) {
		return x + ".Equal(" + y + ")"
	}
	if pkg, ok := rule.ObjectAt(pass, bin.Pos(), "ptr").(*types.PkgName); ok && pkg.Imported().Path() == kubeapi.Pointers {
		return "ptr.Equal(" + x + ", " + y + ")"
	}
	return ""
}

// comparesAddresses reports whether bin compares two fields that are pointers to values without identity.
func comparesAddresses(info *types.Info, bin *ast.BinaryExpr) bool {
	if bin.Op != token.EQL && bin.Op != token.NEQ || types.ExprString(bin.X) == types.ExprString(bin.Y) {
		return false
	}
	for _, e := range []ast.Expr{bin.X, bin.Y} {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || info.Selections[sel] == nil || info.Selections[sel].Kind() != types.FieldVal || sel.Sel.Name == string(kubeapi.MetaDeletionTimestamp) {
			return false
		}
		if !hasNoIdentity(info.TypeOf(e)) {
			return false
		}
	}
	return true
}

// hasNoIdentity reports whether t is a pointer to a number, text, a time or a quantity.
func hasNoIdentity(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, basic := p.Elem().Underlying().(*types.Basic)
	return basic || kubeapi.IsTimeOrQuantity(p.Elem())
}

// decidesOnLogs reports whether bin is in the condition of an if statement that does no more than to log and count.
func decidesOnLogs(pass *analysis.Pass, bin *ast.BinaryExpr) bool {
	branch := rule.Innermost[*ast.IfStmt](pass, bin.Pos())
	if branch == nil || branch.Else != nil || bin.Pos() < branch.Cond.Pos() || bin.End() > branch.Cond.End() {
		return false
	}
	observes := true
	ast.Inspect(branch.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				fn, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
				observes = observes && kubeapi.Observes(fn)
			} else {
				observes = false
			}
		case *ast.AssignStmt:
			observes = observes && n.Tok == token.DEFINE
		case *ast.BlockStmt, *ast.IfStmt:
		case ast.Stmt:
			observes = false
		}
		return observes
	})
	return observes
}
