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
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Fixed is the fact of a field that is there from the start, and of which the API server refuses changes, as the markers say from which the schema of its kind is made.
type Fixed struct{}

// AFact marks Fixed as a fact.
func (*Fixed) AFact() {}

// String is for the tests of facts.
func (*Fixed) String() string { return "never changes" }

// Required is the fact of a field without which the API server stores no object, as the markers say from which the schema of its kind is made.
type Required struct{}

// AFact marks Required as a fact.
func (*Required) AFact() {}

// String is for the tests of facts.
func (*Required) String() string { return "is never absent" }

var (
	refusesChanges = regexp.MustCompile("\\+kubebuilder:validation:XValidation:(.*,\\s*)?rule=[\"`]\\s*(self == oldSelf|oldSelf == self)\\s*[\"`]")
	mayBeAbsent    = regexp.MustCompile(`\+(kubebuilder:validation:Optional|optional)\b`)
	isRequired     = regexp.MustCompile(`\+(kubebuilder:validation:Required|(k8s:)?required)\b`)
	mayBeNull      = regexp.MustCompile(`\+nullable\b`)
)

// exportFixed leaves the facts of the fields of the package's types that never change, and of those that are never absent. Of one that may be absent, the rule is not asked
// where it is put there or taken away.
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
				text := textOf(f.Doc)
				if mayBeAbsent.MatchString(text) || omitted(f) {
					return true
				}
				if refusesChanges.MatchString(text) {
					exportOf(pass, f, new(Fixed))
				}
				if isRequired.MatchString(text) && !mayBeNull.MatchString(text) {
					exportOf(pass, f, new(Required))
				}
				return true
			})
		}
	}
}

// exportOf leaves the fact for what f declares.
func exportOf(pass *analysis.Pass, f *ast.Field, fact analysis.Fact) {
	for _, name := range f.Names {
		if v, ok := pass.TypesInfo.Defs[name].(*types.Var); ok {
			pass.ExportObjectFact(v, fact)
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

// neverNil reports whether cond is side only of an object that is not stored: f, a field of the spec itself, would be nil, and the API server wants one.
func (a *analyzer) neverNil(cond ssa.Value, side flow.Truth, f field) bool {
	_, isNil, ok := flow.NilTest(cond)
	return ok && side == flow.Settled(isNil) && f.v != nil && strings.Count(f.sel, ".") == 1 && a.pass.ImportObjectFact(f.v.Origin(), new(Required))
}
