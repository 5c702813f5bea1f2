package finalizerorder

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Fixed is the fact of a field that is there from the start, and of which the API server refuses changes, as the markers say from which the schema of its kind is made.
type Fixed struct{}

// AFact marks Fixed as a fact.
func (*Fixed) AFact() {}

// String is for the tests of facts.
func (*Fixed) String() string { return "never changes" }

var (
	refusesChanges = regexp.MustCompile("\\+kubebuilder:validation:XValidation:(.*,\\s*)?rule=[\"`]\\s*(self == oldSelf|oldSelf == self)\\s*[\"`]")
	mayBeAbsent    = regexp.MustCompile(`\+(kubebuilder:validation:Optional|optional)\b`)
)

// exportFixed leaves the facts of the fields of the package's types that never change. Of one that may be absent, the rule is not asked where it is put there or taken away.
func exportFixed(pass *analysis.Pass) {
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if gen, ok := d.(*ast.GenDecl); !ok || gen.Tok != token.TYPE {
				continue // no kind is declared there
			}
			ast.Inspect(d, func(n ast.Node) bool {
				f, ok := n.(*ast.Field)
				if !ok || f.Doc == nil {
					return true
				}
				if text := textOf(f.Doc); refusesChanges.MatchString(text) && !mayBeAbsent.MatchString(text) && !omitted(f) {
					for _, name := range f.Names {
						if v, ok := pass.TypesInfo.Defs[name].(*types.Var); ok {
							pass.ExportObjectFact(v, new(Fixed))
						}
					}
				}
				return true
			})
		}
	}
}

// textOf is the text of a comment with its markers, which ast.CommentGroup.Text may leave out.
func textOf(doc *ast.CommentGroup) string {
	var lines []string
	for _, c := range doc.List {
		lines = append(lines, c.Text)
	}
	return strings.Join(lines, "\n")
}

// omitted reports whether f is left out where it is empty, or is no field of a document.
func omitted(f *ast.Field) bool {
	if f.Tag == nil {
		return true
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return true
	}
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name == "" || name == "-" || strings.Contains(options, "omit")
}

// isFixed reports whether v is a field that never changes.
func (a *analyzer) isFixed(v *types.Var) bool {
	return v != nil && a.pass.ImportObjectFact(v.Origin(), new(Fixed))
}
