package fix

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"

	"github.com/ctrllint/ctrllint/internal/report"
)

// Apply makes edits, which do not contradict each other, to a Go file. What they change is formatted, and imports
// that they add stand where goimports puts them; all other lines stay as they are, with the ends that they have. It
// is an error when an edit lies outside of src, or when the result does not parse.
func Apply(src []byte, edits []report.Edit) ([]byte, error) {
	t := split(src)
	edits = slices.Clone(edits)
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("no room for the edit of the bytes %d to %d", e.Start, e.End)
		}
		edits[i].Start, edits[i].End = t.offset(e.Start), t.offset(e.End)
		edits[i].NewText = strings.ReplaceAll(e.NewText, "\r\n", "\n")
	}
	slices.SortStableFunc(edits, func(a, b report.Edit) int { return a.Start - b.Start })
	raw, err := replace(t.plain, edits)
	if err != nil {
		return nil, err
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", raw, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("the fixed file does not parse: %w", err)
	}
	added, rest := newImports(t.plain, edits)
	body, err := replace(t.plain, rest)
	if err != nil {
		return nil, err
	}
	after, err := formatted(body, added)
	if err != nil {
		return t.restore(raw), nil //nolint:nilerr // It parses: nothing is wrong but its form.
	}
	if before, err := formatted(t.plain, added[:0]); err != nil || !bytes.Equal(before, t.plain) {
		// Somebody wants the file in another form, or has not looked after it.
		if after = onlyEdited(t.plain, body, after, added); !saysTheSame(after, raw) {
			after = raw
		}
	}
	return t.restore(after), nil
}

// replace makes edits, which are sorted.
func replace(src []byte, edits []report.Edit) ([]byte, error) {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at {
			return nil, fmt.Errorf("no room for the edit of the bytes %d to %d", e.Start, e.End)
		}
		out.Write(src[at:e.Start])
		out.WriteString(e.NewText)
		at = e.End
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}

// A newImport is one that a fix needs. The name may be empty.
type newImport struct{ name, path string }

var importText = regexp.MustCompile(`^\s*(?:import\s+)?(?:([\w.]+)\s+)?("[^"]+")[\s;]*$`)

// newImports returns the imports that edits add to src, and the other edits. With none, the first is nil.
func newImports(src []byte, edits []report.Edit) (added []newImport, rest []report.Edit) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ImportsOnly)
	if err != nil {
		return nil, edits
	}
	in := func(offset int) bool {
		return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			return fset.Position(d.Pos()).Offset <= offset && offset < fset.Position(d.End()).Offset
		})
	}
	for _, e := range edits {
		m := importText.FindStringSubmatch(e.NewText)
		if m == nil || e.Start != e.End || !in(e.Start) {
			rest = append(rest, e)
			continue
		}
		path, err := strconv.Unquote(m[2])
		if err != nil {
			return nil, edits
		}
		added = append(added, newImport{m[1], path})
	}
	return added, rest
}

// formatted is src with the imports, in the form of gofmt; or of goimports where added is not nil, though it may be
// empty.
func formatted(src []byte, added []newImport) ([]byte, error) {
	if added == nil {
		return format.Source(src)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, i := range added {
		astutil.AddNamedImport(fset, file, i.name, i.path)
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, file); err != nil {
		return nil, err
	}
	return imports.Process("", out.Bytes(), &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
}

// onlyEdited is body with the lines of pretty, which says the same, where body differs from src, and where pretty has
// the imports.
func onlyEdited(src, body, pretty []byte, added []newImport) []byte {
	lines := func(text []byte) []string { return strings.SplitAfter(string(text), "\n") }
	was, raw, good := lines(src), lines(body), lines(pretty)
	edited := make([]bool, len(raw))
	for _, d := range lcs.DiffLines(was, raw) {
		for i := d.ReplStart; i < d.ReplEnd; i++ {
			edited[i] = true
		}
	}
	if added == nil {
		if out, ok := replaced(raw, good, edited); ok {
			return []byte(out)
		}
	}
	hasImport := func(lines []string) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			return slices.ContainsFunc(added, func(i newImport) bool { return strings.Contains(line, strconv.Quote(i.path)) })
		})
	}
	var out strings.Builder
	i, j := 0, 0
	same := func(end int) { // lines that differ in their white space at most
		for ; i < end; i, j = i+1, j+1 {
			if edited[i] {
				out.WriteString(good[j])
			} else {
				out.WriteString(raw[i])
			}
		}
	}
	for _, d := range joined(withoutSpace(raw), withoutSpace(good)) {
		same(d.Start)
		if slices.Contains(edited[d.Start:d.End], true) || hasImport(good[d.ReplStart:d.ReplEnd]) {
			out.WriteString(strings.Join(good[d.ReplStart:d.ReplEnd], ""))
		} else {
			out.WriteString(strings.Join(raw[d.Start:d.End], ""))
		}
		i, j = d.End, d.ReplEnd
	}
	same(len(raw))
	return []byte(out.String())
}

// replaced is raw with the lines of good in place of those that are edited. The two differ in white space and
// semicolons alone, so that the text in front of a line tells where it is in the other one. Ok is false if it is in
// the middle of a line there.
func replaced(raw, good []string, edited []bool) (text string, ok bool) {
	had, has := written(raw), written(good)
	var out strings.Builder
	for i := 0; i < len(raw); {
		if !edited[i] {
			out.WriteString(raw[i])
			i++
			continue
		}
		end := i
		for end < len(raw) && edited[end] {
			end++
		}
		from, to := slices.Index(has, had[i]), slices.Index(has, had[end])
		if from < 0 || to < 0 {
			return "", false
		}
		for from < to && strings.TrimSpace(good[from]) == "" { // which are in front of the lines, in raw as well
			from++
		}
		out.WriteString(strings.Join(good[from:max(from, to)], ""))
		i = end
	}
	return out.String(), true
}

// written returns how many bytes there are in front of each line, and of the end, without white space and semicolons.
func written(lines []string) []int {
	out := make([]int, len(lines)+1)
	for i, line := range lines {
		out[i+1] = out[i] + len(strings.ReplaceAll(strings.Join(strings.Fields(line), ""), ";", ""))
	}
	return out
}

// joined returns the differences of two texts, those that touch as one. An insertion moves up as far as it says the
// same there: of two lines that are alike, it is not known which one is new, and the one next to another change is.
func joined(a, b []string) (out []lcs.Diff) {
	for _, d := range lcs.DiffLines(a, b) {
		behind := lcs.Diff{}
		if len(out) > 0 {
			behind = out[len(out)-1]
		}
		for d.Start == d.End && d.Start > behind.End && a[d.Start-1] == b[d.ReplEnd-1] {
			d = lcs.Diff{Start: d.Start - 1, End: d.End - 1, ReplStart: d.ReplStart - 1, ReplEnd: d.ReplEnd - 1}
		}
		if len(out) > 0 && d.Start == behind.End {
			out[len(out)-1] = lcs.Diff{Start: behind.Start, End: d.End, ReplStart: behind.ReplStart, ReplEnd: d.ReplEnd}
		} else {
			out = append(out, d)
		}
	}
	return out
}

func withoutSpace(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.Join(strings.Fields(line), "")
	}
	return out
}

// saysTheSame reports whether two files have the same code, imports and comments, but for white space, semicolons and
// the places of imports.
func saysTheSame(a, b []byte) bool {
	x, y := tokens(a), tokens(b)
	return x != nil && slices.Equal(x, y)
}

// tokens returns those of src behind the imports; before them, sorted, the imports and the comments. They are nil if
// it does not parse.
func tokens(src []byte) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	code := file.Name.End()
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			code = g.End()
		}
	}
	var heads, out []string
	for _, i := range file.Imports {
		var text bytes.Buffer
		if err := printer.Fprint(&text, fset, &ast.ImportSpec{Name: i.Name, Path: i.Path}); err != nil {
			return nil
		}
		heads = append(heads, text.String())
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			heads = append(heads, strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return -1
				}
				return r
			}, c.Text))
		}
	}
	slices.Sort(heads)
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	from := fset.Position(code).Offset
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return append(append(heads, "package "+file.Name.Name), out...)
		}
		if int(pos)-1 >= from && tok != token.SEMICOLON {
			out = append(out, tok.String()+" "+text)
		}
	}
}
