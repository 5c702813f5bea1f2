package optionalderef

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/markers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// optionalFields returns the fields of the package's structs that are pointers which the API server lets users leave
// out, sorted. It goes by tags and markers, which are comments, and so only at hand in the package itself.
//
// Members of unions are left alone: which of them is there follows from another field, or from how many there may be. A
// struct is a union by its markers; a field is a member if it has the name of a value of another field. A field that
// any CEL rule or any default of the package names is left alone, too: the rule may demand it. Specs names the structs
// that are all of a spec.
func optionalFields(pass *analysis.Pass, specs map[string]bool) (all []Field) {
	named := map[string]bool{} // words of markers
	for _, file := range pass.Files {
		for _, m := range markers.In(file.Comments...) {
			if m.NamesFields() {
				for _, w := range strings.FieldsFunc(m.Text, func(r rune) bool { return !isNameRune(r) }) {
					named[w] = true
				}
			}
		}
	}
	for _, file := range pass.Files {
		if ast.IsGenerated(file) {
			continue
		}
		for _, decl := range markers.Types(file) {
			if decl.Type.TypeParams == nil && !decl.Type.Assign.IsValid() {
				s := structType{pass: pass, decl: decl, isSpec: specs[decl.Type.Name.Name]}
				all = append(all, s.optional(named)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b Field) int { return strings.Compare(a.key(), b.key()) })
	return all
}

func isNameRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// A structType is the declaration of a struct.
type structType struct {
	pass   *analysis.Pass
	decl   markers.Decl
	isSpec bool
}

// optional returns the optional fields of s.
func (s *structType) optional(named map[string]bool) (all []Field) {
	if has(s.decl.Lines, markers.Union) {
		return nil
	}
	var choices []string
	name := s.decl.Type.Name.Name
	for _, d := range s.decl.Fields {
		f, lines := d.Field, d.Lines
		if has(lines, markers.Union) {
			return nil
		}
		choices = append(choices, s.choices(f, lines)...)
		_, isPointer := types.Unalias(s.pass.TypesInfo.TypeOf(f.Type)).(*types.Pointer)
		if len(f.Names) != 1 || f.Tag == nil || !isPointer {
			continue
		}
		v, _ := s.pass.TypesInfo.Defs[f.Names[0]].(*types.Var)
		tag, err := strconv.Unquote(f.Tag.Value)
		if v == nil || err != nil {
			continue
		}
		json := kubeapi.JSONOf(v, tag)
		if !json.Tagged || json.Name == "" || named[json.Name] || !json.Omitted && !has(lines, markers.Optional) || has(lines, markers.Present) {
			continue
		}
		shown := json.Name + " of " + name
		if s.isSpec {
			shown = "spec." + json.Name
		}
		all = append(all, Field{
			Struct: s.pass.Pkg.Path() + "." + name, Name: v.Name(), Shown: shown, At: link.AtOf(s.pass, f.Names[0].Pos()),
		})
	}
	return slices.DeleteFunc(all, func(f Field) bool { return slices.ContainsFunc(choices, f.isCalled) })
}

func has(lines []markers.Marker, meaning markers.Meaning) bool {
	return slices.ContainsFunc(lines, func(m markers.Marker) bool { return m.Meaning() == meaning })
}

// choices returns the values of the field f if it is a text of which only some are allowed: those of the marker above
// it, and the constants of its type.
func (s *structType) choices(f *ast.Field, lines []markers.Marker) (values []string) {
	t := flow.Pointee(s.pass.TypesInfo.TypeOf(f.Type))
	if !flow.IsString(t) {
		return nil
	}
	for _, m := range lines {
		values = append(values, m.Enum()...)
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !rule.OfModule(s.pass, n.Obj().Pkg()) {
		return values
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), n) && c.Val().Kind() == constant.String {
			values = append(values, constant.StringVal(c.Val()))
		}
	}
	return values
}

// isCalled reports whether a value of another field names f: one is part of the other.
func (f Field) isCalled(value string) bool {
	a, b := strings.ToLower(f.Name), strings.ToLower(value)
	return len(a) > 2 && strings.Contains(b, a) || len(b) > 1 && strings.Contains(a, b)
}
