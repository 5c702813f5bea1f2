package driver

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// finding is d as it is shown, with paths relative to dir.
func finding(dir string, act *checker.Action, d analysis.Diagnostic) report.Finding {
	fset := act.Package.Fset
	end := fset.Position(d.End)
	if !d.End.IsValid() {
		end = fset.Position(d.Pos)
	}
	f := report.Finding{
		Rule:      act.Analyzer.Name,
		Category:  d.Category,
		Place:     place(dir, fset, d.Pos),
		EndLine:   end.Line,
		EndColumn: end.Column,
		Package:   act.Package.PkgPath,
		Function:  function(act.Package.Syntax, d.Pos),
		Message:   d.Message,
		URL:       d.URL,
	}
	if f.Category == "" {
		f.Category = act.Analyzer.Name
	}
	if f.URL == "" {
		f.URL = act.Analyzer.URL
	}
	if v, ok := act.Result.(*rule.Verdicts); ok {
		f.Confidence = v.Of(d.Pos, d.Message).String()
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, report.Related{Place: place(dir, fset, r.Pos), Message: r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		if e := edits(dir, fset, fix.TextEdits); e != nil {
			f.Fixes = append(f.Fixes, report.Fix{Message: fix.Message, Edits: e})
		}
	}
	return f
}

// suppressed are the findings of all rules that comments in the package of act keep back.
func suppressed(dir string, act *checker.Action, index *suppress.Index) []report.Finding {
	var out []report.Finding
	for _, s := range index.Silenced() {
		f := finding(dir, act, s.Diagnostic)
		f.Rule = s.Rule
		f.Suppressed = &report.Suppression{Kind: "inSource", Reason: s.By.Reason}
		out = append(out, f)
	}
	return out
}

// edits are the edits of one fix; none where they lie in a file that was made of the user's, as cgo does.
func edits(dir string, fset *token.FileSet, in []analysis.TextEdit) []report.Edit {
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
			File: place(dir, fset, e.Pos).File, Start: start.Offset, End: end.Offset,
			Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
			NewText: string(e.NewText),
		})
	}
	return out
}

func place(dir string, fset *token.FileSet, pos token.Pos) report.Place {
	p := fset.Position(pos)
	file := p.Filename
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return report.Place{File: filepath.ToSlash(file), Line: p.Line, Column: p.Column}
}

// function names the declaration that encloses pos: F, T.M or (*T).M; type parameters are left out.
func function(files []*ast.File, pos token.Pos) string {
	for _, file := range files {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || pos < f.Pos() || f.End() <= pos {
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
	}
	return ""
}

// typeName is the name of a receiver's base type.
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
