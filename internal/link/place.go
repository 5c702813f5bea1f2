// Package link is what packages leave behind for the programs that they become part of.
//
// A package is analysed alone, with the facts of those that it imports. What it takes two packages to see that do not know
// of each other is looked for where a program comes together, by what each of them has written down: its open ends, which
// are calls of code that it does not have and waits for somebody else, and its offers, which are the types and functions that
// others may come to call. This package has what all rules need for that, and no idea of what any of them looks for.
package link

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// An At is a place in the source of a package, in the terms that all packages have: "pkg/path/file.go:12:5". Empty is none.
type At string

// AtOf is the place at pos in the package of pass.
func AtOf(pass *analysis.Pass, pos token.Pos) At {
	p := pass.Fset.Position(pos)
	if !p.IsValid() {
		return ""
	}
	return At(fmt.Sprintf("%s/%s:%d:%d", pass.Pkg.Path(), filepath.Base(p.Filename), p.Line, p.Column))
}

// String is what a reader needs who knows the package: "file.go:12".
func (a At) String() string {
	s := path.Base(string(a))
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[:i]
	}
	return s
}

// Package is the path of the package that a is in.
func (a At) Package() string { return path.Dir(string(a)) }

// parts are the file of a without its folder, the line and the column.
func (a At) parts() (name string, line, column int, ok bool) {
	parts := strings.Split(path.Base(string(a)), ":")
	if len(parts) != 3 {
		return "", 0, 0, false
	}
	line, err1 := strconv.Atoi(parts[1])
	column, err2 := strconv.Atoi(parts[2])
	return parts[0], line, column, err1 == nil && err2 == nil && line > 0 && column > 0
}

// Dirs are the folders of packages, by path.
type Dirs map[string]string

// Dir is the folder that the files of the package of pass are in.
func Dir(pass *analysis.Pass) string {
	if len(pass.Files) == 0 {
		return ""
	}
	return filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
}

// Pos is a position in the file set of pass for a place in its package or in another one; none where that has no folder. Drivers show a
// position as a file, a line and a column: so the file that is added to the set for it is no longer than it takes to have
// that line and column. The technique is that of x/tools' asmdecl, which adds the files of the assembler.
func (d Dirs) Pos(pass *analysis.Pass, a At) token.Pos {
	name, line, column, ok := a.parts()
	if !ok {
		return token.NoPos
	}
	if a.Package() == pass.Pkg.Path() {
		for _, f := range pass.Files {
			file := pass.Fset.File(f.FileStart)
			if filepath.Base(file.Name()) != name || line > file.LineCount() {
				continue
			}
			pos := file.LineStart(line) + token.Pos(column-1)
			if p := pass.Fset.Position(pos); p.Line == line && p.Column == column { // and no line directive says otherwise
				return pos
			}
		}
	}
	dir := d[a.Package()]
	if dir == "" {
		return token.NoPos
	}
	file := pass.Fset.AddFile(filepath.Join(dir, name), -1, line+column)
	lines := make([]int, line)
	for i := range lines {
		lines[i] = i
	}
	file.SetLines(lines)
	return file.Pos(line - 1 + column - 1)
}

// Program reports whether the package of pass is where a program comes together: its main package, or Libraries. Where a part of
// the program is not known, it is put together nowhere: that part may do what nobody else does.
func Program(pass *analysis.Pass) bool { return pass.Pkg.Name() == "main" && len(pass.TypeErrors) == 0 }

// Libraries is the path of the main package that is not there, and would import what no other one does. What a program sets up
// is not to be seen there.
const Libraries = "libraries"

// Judges reports whether it is the program of pass that judges what was kept of the package with that path: what a program reaches, it judges
// itself, and not Libraries, where others may reach it as well.
func Judges(pass *analysis.Pass, path string) bool {
	return pass.Pkg.Path() != Libraries || slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
}
