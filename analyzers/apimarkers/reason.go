package apimarkers

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// reasons reports values of fields of a Condition that their pattern refuses: those that are written into the field,
// and those that are passed to a function of the package that writes its parameter there.
func (c *checker) reasons() {
	params := map[types.Object]string{} // to the field that they are written into
	assigned := map[types.Object]bool{}
	c.eachWrite(func(field string, value ast.Expr) {
		if id, ok := ast.Unparen(value).(*ast.Ident); ok {
			params[c.pass.TypesInfo.Uses[id]] = field
		}
		c.checkReason(field, value)
	}, assigned)
	for _, file := range c.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := typeutil.StaticCallee(c.pass.TypesInfo, call)
			if fn == nil || fn.Pkg() != c.pass.Pkg || fn.Signature().Variadic() || fn.Signature().Params().Len() != len(call.Args) {
				return true
			}
			for i, arg := range call.Args {
				p := fn.Origin().Signature().Params().At(i)
				if field := params[p]; field != "" && !assigned[p] {
					c.checkReason(field, arg)
				}
			}
			return true
		})
	}
}

// eachWrite calls f for each value that is written into a field of a Condition that has a pattern, and notes which
// variables are assigned.
func (c *checker) eachWrite(f func(field string, value ast.Expr), assigned map[types.Object]bool) {
	info := c.pass.TypesInfo
	write := func(owner types.Type, field string, value ast.Expr) {
		if owner != nil && kubeapi.Condition.Is(owner) && kubeapi.ConditionPattern(field) != nil {
			f(field, value)
		}
	}
	for _, file := range c.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							write(info.TypeOf(n), key.Name, kv.Value)
						}
					}
				}
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					switch lhs := lhs.(type) {
					case *ast.Ident:
						assigned[info.Uses[lhs]] = true
					case *ast.SelectorExpr:
						if len(n.Lhs) == len(n.Rhs) {
							write(info.TypeOf(lhs.X), lhs.Sel.Name, n.Rhs[i])
						}
					}
				}
			}
			return true
		})
	}
}

// checkReason reports value if it is a constant that the pattern of field refuses, or the text of an error.
func (c *checker) checkReason(field string, value ast.Expr) {
	f := rule.Finding{Pos: value.Pos(), End: value.End(), Sub: "reason", Site: "refused-reason"}
	const refused = "the API server refuses the whole status"
	if v := c.pass.TypesInfo.Types[value].Value; v != nil && v.Kind() == constant.String {
		text := constant.StringVal(v)
		if text == "" || kubeapi.ConditionPattern(field).MatchString(text) {
			return
		}
		good, advice := joined(text), "begin it with a letter"
		if kubeapi.ConditionPattern(field).MatchString(good) {
			advice = "write " + good
			if lit, ok := ast.Unparen(value).(*ast.BasicLit); ok && kubeapi.IsReason(field) {
				f.Fixes = []analysis.SuggestedFix{{
					Message:   advice,
					TextEdits: []analysis.TextEdit{{Pos: lit.Pos(), End: lit.End(), NewText: []byte(strconv.Quote(good))}},
				}}
			}
		}
		f.Message = fmt.Sprintf("%s %q does not match the pattern of conditions, and %s: %s", field, text, refused, advice)
		rule.Report(c.pass, f)
		return
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !kubeapi.IsReason(field) {
		return
	}
	// The interface error has one method.
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && types.Identical(c.pass.TypesInfo.TypeOf(sel.X), types.Universe.Lookup("error").Type()) {
		f.Site = "error-as-reason"
		f.Message = field + " is the text of an error, and " + refused + ": write a word, and the error as Message"
		rule.Report(c.pass, f)
	}
}

// joined returns the words of text in camel case.
func joined(text string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}
