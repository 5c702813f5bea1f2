package optionalderef

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
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
		for _, line := range linesIn(file, file.FileStart, file.FileEnd) {
			if kubeapi.NamesFields(line) {
				for _, w := range strings.FieldsFunc(line, func(r rune) bool { return !isNameRune(r) }) {
					named[w] = true
				}
			}
		}
	}
	for _, file := range pass.Files {
		if ast.IsGenerated(file) {
			continue
		}
		last := file.Name.End()
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			for i := 0; ok && decl.Tok == token.TYPE && i < len(decl.Specs); i++ {
				spec := decl.Specs[i].(*ast.TypeSpec)
				st, isStruct := spec.Type.(*ast.StructType)
				if isStruct && spec.TypeParams == nil && !spec.Assign.IsValid() {
					s := structType{pass: pass, file: file, spec: spec, st: st, above: linesIn(file, last, st.Pos())}
					s.isSpec = specs[spec.Name.Name]
					all = append(all, s.optional(named)...)
				}
				last = spec.End()
			}
			last = d.End()
		}
	}
	slices.SortFunc(all, func(a, b Field) int { return strings.Compare(a.key(), b.key()) })
	return all
}

func isNameRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// linesIn returns the lines of the comments of file that begin between from and to.
func linesIn(file *ast.File, from, to token.Pos) (lines []string) {
	for _, g := range file.Comments {
		if g.Pos() < from || g.Pos() >= to {
			continue
		}
		for _, c := range g.List {
			text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), "/*"), "*/")
			lines = append(lines, strings.Split(text, "\n")...)
		}
	}
	return lines
}

// A structType is the declaration of a struct, with the lines of the comments above it.
type structType struct {
	pass   *analysis.Pass
	file   *ast.File
	spec   *ast.TypeSpec
	st     *ast.StructType
	above  []string
	isSpec bool
}

// optional returns the optional fields of s.
func (s *structType) optional(named map[string]bool) (all []Field) {
	if has(s.above, kubeapi.UnionMarker) {
		return nil
	}
	var choices []string
	last := s.st.Fields.Pos()
	for _, f := range s.st.Fields.List {
		lines := linesIn(s.file, last, f.End())
		last = f.End()
		if has(lines, kubeapi.UnionMarker) {
			return nil
		}
		choices = append(choices, s.choices(f, lines)...)
		_, isPointer := types.Unalias(s.pass.TypesInfo.TypeOf(f.Type)).(*types.Pointer)
		if len(f.Names) != 1 || !f.Names[0].IsExported() || f.Tag == nil || !isPointer {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		json, omitted := kubeapi.JSONName(tag)
		if err != nil || json == "" || named[json] || !omitted && !has(lines, kubeapi.OptionalMarker) || has(lines, kubeapi.PresentMarker) {
			continue
		}
		shown := json + " of " + s.spec.Name.Name
		if s.isSpec {
			shown = "spec." + json
		}
		all = append(all, Field{
			Struct: s.pass.Pkg.Path() + "." + s.spec.Name.Name, Name: f.Names[0].Name, Shown: shown, At: link.AtOf(s.pass, f.Names[0].Pos()),
		})
	}
	return slices.DeleteFunc(all, func(f Field) bool { return slices.ContainsFunc(choices, f.isCalled) })
}

func has(lines []string, m kubeapi.Marker) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return kubeapi.MarkerOf(l) == m })
}

// choices returns the values of the field f if it is a text of which only some are allowed: those of the marker above
// it, and the constants of its type.
func (s *structType) choices(f *ast.Field, lines []string) (values []string) {
	t := flow.Pointee(s.pass.TypesInfo.TypeOf(f.Type))
	if !flow.IsString(t) {
		return nil
	}
	for _, l := range lines {
		values = append(values, kubeapi.EnumOf(l)...)
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
