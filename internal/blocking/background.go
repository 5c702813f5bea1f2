package blocking

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Background is the call of context.Background or context.TODO that v is, or whose Done channel it is; nil for any
// other value. A context with a deadline of its own is another one.
func Background(v ssa.Value) *ssa.Call {
	if !IsBound(v.Type()) {
		return nil
	}
	if ctx := DoneOf(v); ctx != nil {
		v = ctx
	}
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		return nil
	}
	switch kubeapi.SymbolOf(flow.Callee(&call.Call)) {
	case kubeapi.Symbol{Pkg: "context", Name: "Background"}, kubeapi.Symbol{Pkg: "context", Name: "TODO"}:
		return call
	}
	return nil
}

// PassOn returns a fix that replaces background, a call that makes a context without end, by the parameter ctx. It
// needs background to be written as an argument, and ctx to be visible under its name there.
func PassOn(pass *analysis.Pass, background *ssa.Call, ctx *ssa.Parameter, message string) []analysis.SuggestedFix {
	if background == nil || ctx == nil {
		return nil
	}
	made := argument(pass, background.Pos())
	if made == nil {
		return nil
	}
	if obj := rule.ObjectAt(pass, made.Pos(), ctx.Name()); obj == nil || obj != ctx.Object() {
		return nil // shadowed
	}
	return []analysis.SuggestedFix{{
		Message:   message,
		TextEdits: []analysis.TextEdit{{Pos: made.Pos(), End: made.End(), NewText: []byte(ctx.Name())}},
	}}
}

// argument returns the call at pos, if it, or the Done channel of its result, is written as an argument of another
// call.
func argument(pass *analysis.Pass, pos token.Pos) *ast.CallExpr {
	var made *ast.CallExpr
	for _, n := range rule.Enclosing(pass, pos) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if made == nil {
				made = n
			} else if n.Lparen < made.Pos() {
				return made
			}
		case *ast.SelectorExpr, *ast.ParenExpr:
		default:
			if made != nil {
				return nil
			}
		}
	}
	return nil
}
