// Package link is what packages leave behind for the programs that they become part of.
//
// A package is analysed alone, with the facts of those that it imports. What it takes two packages to see that do not know
// of each other is looked for where a program comes together, by what each of them has written down: its open ends, which
// are calls of code that it does not have and waits for somebody else, and its offers, which are the types and functions that
// others may come to call. This package has what all rules need for that, and no idea of what any of them looks for.
package link

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// Files are the names of source files, as the driver opened them. A driver that keeps facts beyond the run renames them.
type Files struct{ Names []string }

// A Place is a place in one of the Files. Line and Column count from one; Line is zero for no place.
type Place struct{ File, Line, Column int }

// Place is where pos is.
func (f *Files) Place(fset *token.FileSet, pos token.Pos) Place {
	p := fset.Position(pos)
	if !p.IsValid() {
		return Place{}
	}
	for i := len(f.Names) - 1; i >= 0; i-- {
		if f.Names[i] == p.Filename {
			return Place{i, p.Line, p.Column}
		}
	}
	f.Names = append(f.Names, p.Filename)
	return Place{len(f.Names) - 1, p.Line, p.Column}
}

// Rename gives all files the names that name makes of those that they have.
func (f *Files) Rename(name func(string) string) {
	for i, n := range f.Names {
		f.Names[i] = name(n)
	}
}

// Pos is a position in the file set of pass for a place in another package's file. Drivers show a position as a file, a line
// and a column: so the file that is added to the set for it is no longer than it takes to have that line and column. The
// technique is that of x/tools' asmdecl, which adds the files of the assembler.
func (f *Files) Pos(pass *analysis.Pass, p Place) token.Pos {
	if p.Line < 1 || p.File >= len(f.Names) {
		return token.NoPos
	}
	file := pass.Fset.AddFile(f.Names[p.File], -1, p.Line+p.Column)
	lines := make([]int, p.Line)
	for i := range lines {
		lines[i] = i
	}
	file.SetLines(lines)
	return file.Pos(p.Line - 1 + max(p.Column-1, 0))
}

// Program reports whether the package of pass is where a program comes together: its main package.
func Program(pass *analysis.Pass) bool { return pass.Pkg.Name() == "main" }
