// Package link joins what is known of packages where a program is linked.
//
// Each package is analysed alone, with facts of those that it imports. What it takes two packages to see that do not import each other
// waits for the pass of a main package. The package fact of a rule, a [Summary], has what the package contributes, its deferred findings
// ([Deferred]) with the conditions that programs decide, and its [Use]s, which make conditions hold. [Phase] exports the summary, gathers
// those of all packages of a program, and reports the deferred findings whose conditions hold there.
package link

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// An At is a place in the source of a package, as text: "pkg/path/file.go:12:5". Empty is none.
type At string

// AtOf returns the place at pos in the package of pass.
func AtOf(pass *analysis.Pass, pos token.Pos) At {
	p := pass.Fset.Position(pos)
	if !p.IsValid() {
		return ""
	}
	return At(fmt.Sprintf("%s/%s:%d:%d", pass.Pkg.Path(), filepath.Base(p.Filename), p.Line, p.Column))
}

// String returns the place without the package: "file.go:12".
func (a At) String() string {
	s := path.Base(string(a))
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[:i]
	}
	return s
}

// Package returns the path of the package of a.
func (a At) Package() string { return path.Dir(string(a)) }

// parts returns the base name of the file, the line and the column.
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

// Dir returns the folder of the package of pass.
func Dir(pass *analysis.Pass) string {
	if len(pass.Files) == 0 {
		return ""
	}
	return filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
}

// Pos returns a position in the file set of pass for a place in its package or in another one; none if that has no
// folder. For another package, a file that is just long enough for the line and column is added to the file set, as
// x/tools' asmdecl does.
func (d Dirs) Pos(pass *analysis.Pass, a At) token.Pos {
	name, line, column, ok := a.parts()
	if !ok {
		return token.NoPos
	}
	if a.Package() == pass.Pkg.Path() {
		for _, f := range pass.Files {
			file := pass.Fset.File(f.FileStart)
			for i := 1; i <= file.LineCount(); i++ { // line directives may give any line that number
				pos := file.LineStart(i) + token.Pos(column-1)
				if p := pass.Fset.Position(pos); p.Line == line && p.Column == column && filepath.Base(p.Filename) == name {
					return pos
				}
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

// Linked reports whether a program is linked in the pass: that of a main package, or of Libraries. A program of which
// some part is not known is not linked.
func Linked(pass *analysis.Pass) bool { return pass.Pkg.Name() == "main" && len(pass.TypeErrors) == 0 }

// Modules is the path of an imaginary package that the drivers that see all packages of a run make behind them, with the
// facts of all: see [Phase].Whole. It imports those that no program does.
const Modules = "modules"

// Libraries is the path of an imaginary main package that imports the packages that no program does. How they are set
// up is not known.
const Libraries = "libraries"
