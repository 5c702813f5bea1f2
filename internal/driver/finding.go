package driver

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// origin is the package and the analyzer of diagnostics.
type origin struct {
	fset     *token.FileSet
	files    []*ast.File
	pkg      string // import path
	analyzer *analysis.Analyzer
	verdicts *rule.Verdicts // nil if the analyzer has none

	read func(name string) ([]byte, error) // the contents of a file

	// other finds the package with a file of that name, and its syntax.
	other func(name string) (pkg string, fset *token.FileSet, syntax *ast.File)
}

// finding converts d. Files keep the names with which they were opened.
func (o *origin) finding(d analysis.Diagnostic) report.Finding {
	end := o.fset.Position(d.End)
	if !d.End.IsValid() {
		end = o.fset.Position(d.Pos)
	}
	site, page := rule.SiteOf(d)
	f := report.Finding{
		Rule:      o.analyzer.Name,
		Category:  d.Category,
		Site:      string(site),
		Place:     place(o.fset, d.Pos),
		EndLine:   end.Line,
		EndColumn: end.Column,
		Package:   o.pkg,
		Function:  function(o.files, d.Pos),
		Message:   d.Message,
		URL:       page,
	}
	if !slices.ContainsFunc(o.files, func(file *ast.File) bool { return file.FileStart <= d.Pos && d.Pos <= file.FileEnd }) {
		if pkg, fset, syntax := o.other(f.File); syntax != nil {
			f.Package = pkg
			f.Function = declared(syntax, func(fn *ast.FuncDecl) bool {
				return fset.Position(fn.Pos()).Line <= f.Line && f.Line <= fset.Position(fn.End()).Line
			})
		}
	}
	if f.Category == "" {
		f.Category = o.analyzer.Name
	}
	if f.URL == "" {
		f.URL = o.analyzer.URL
	}
	f.Code = o.line(f.File, f.Line)
	f.Severity = severity(o.analyzer, f.Category)
	if o.verdicts != nil {
		f.Confidence = o.verdicts.Of(d.Pos, d.Message).String()
		f.Cause = o.verdicts.Cause(d.Pos, d.Message)
		for _, s := range o.verdicts.Cycle(d.Pos, d.Message) {
			f.Cycle = append(f.Cycle, report.Step{Place: place(o.fset, s.Pos), Function: s.Func, Holds: s.Holds, Takes: s.Takes, Read: s.Read})
		}
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, report.Related{Place: place(o.fset, r.Pos), Message: r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		if e := edits(o.fset, fix.TextEdits); e != nil {
			f.Fixes = append(f.Fixes, report.Fix{Message: fix.Message, Edits: e})
		}
	}
	return f
}

// line is line n of a file, as f.Code has it; empty if there is none.
func (o *origin) line(name string, n int) string {
	src, err := o.read(name)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(src) {
		if n--; n == 0 {
			return strings.TrimSpace(string(line))
		}
	}
	return ""
}

// severity returns that of the sub-rule that category names, of a or of a rule that a requires.
func severity(a *analysis.Analyzer, category string) string {
	name, sub, ok := strings.Cut(category, "/")
	if !ok {
		return rule.Error.String() // a failure
	}
	if i := slices.IndexFunc(a.Requires, func(r *analysis.Analyzer) bool { return r.Name == name }); i >= 0 {
		a = a.Requires[i]
	}
	return rule.SeverityOf(a, sub).String()
}

// suppressed returns the findings of all rules that comments in the package silence.
func (o *origin) suppressed(index *suppress.Index) []report.Finding {
	var out []report.Finding
	for _, s := range index.Silenced() {
		f := o.finding(s.Diagnostic)
		f.Rule = s.Rule
		f.Suppressed = &report.Suppression{Kind: "inSource", Reason: s.By.Reason}
		out = append(out, f)
	}
	return out
}

// edits returns the edits of one fix; none in a file that cgo made of the user's.
func edits(fset *token.FileSet, in []analysis.TextEdit) []report.Edit {
	var out []report.Edit
	for _, e := range in {
		if !e.End.IsValid() {
			e.End = e.Pos
		}
		start, end := fset.PositionFor(e.Pos, false), fset.PositionFor(e.End, false)
		if start.Filename != fset.Position(e.Pos).Filename {
			return nil
		}
		out = append(out, report.Edit{
			File: place(fset, e.Pos).File, Start: start.Offset, End: end.Offset,
			Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
			NewText: string(e.NewText),
		})
	}
	return out
}

func place(fset *token.FileSet, pos token.Pos) report.Place {
	p := fset.Position(pos)
	return report.Place{File: p.Filename, Line: p.Line, Column: p.Column}
}

// function names the declaration that encloses pos: F, T.M or (*T).M; type parameters are left out.
func function(files []*ast.File, pos token.Pos) string {
	for _, file := range files {
		if file.FileStart <= pos && pos <= file.FileEnd {
			return declared(file, func(f *ast.FuncDecl) bool { return f.Pos() <= pos && pos < f.End() })
		}
	}
	return ""
}

// declared names the first function of file for which is holds.
func declared(file *ast.File, is func(*ast.FuncDecl) bool) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !is(f) {
			continue
		}
		if f.Recv == nil || len(f.Recv.List) == 0 {
			return f.Name.Name
		}
		t := f.Recv.List[0].Type
		if star, ok := ast.Unparen(t).(*ast.StarExpr); ok {
			return "(*" + typeName(star.X) + ")." + f.Name.Name
		}
		return typeName(t) + "." + f.Name.Name
	}
	return ""
}

// typeName returns the name of a receiver's base type.
func typeName(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return "?"
}
