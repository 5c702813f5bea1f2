package link

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Fix is a suggested fix of a finding, with places named by text.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces the source between two places. Line is the text of the line of From: if the file has another one,
// it has changed.
type Edit struct {
	From, To At
	Line     string
	Text     []byte
}

// keepEdits converts the edits of a fix; none in a generated file with line directives, as of cgo, nor under a driver
// that gives no way to read files, as nogo did.
func keepEdits(pass *analysis.Pass, edits []analysis.TextEdit) (kept []Edit) {
	if pass.ReadFile == nil {
		return nil
	}
	for _, e := range edits {
		if !e.End.IsValid() {
			e.End = e.Pos
		}
		at := pass.Fset.PositionFor(e.Pos, false)
		content, err := pass.ReadFile(at.Filename)
		if err != nil || pass.Fset.Position(e.Pos).Filename != at.Filename {
			return nil
		}
		kept = append(kept, Edit{AtOf(pass, e.Pos), AtOf(pass, e.End), lineOf(content, at.Line), e.NewText})
	}
	return kept
}

// edits converts the edits of f to pass, with the folders of packages in dirs; none if a file cannot be read, or has
// changed.
func (f *Fix) edits(pass *analysis.Pass, dirs Dirs) (edits []analysis.TextEdit) {
	files := map[string]*token.File{}
	for _, e := range f.Edits {
		name, line, column, ok := e.From.parts()
		_, last, end, also := e.To.parts()
		dir := dirs[e.From.Package()]
		if !ok || !also || dir == "" {
			return nil
		}
		name = filepath.Join(dir, name)
		content, err := os.ReadFile(name)
		if err != nil || lineOf(content, line) != e.Line {
			return nil
		}
		if files[name] == nil {
			files[name] = pass.Fset.AddFile(name, -1, len(content))
			files[name].SetLinesForContent(content)
		}
		from, ok := posIn(files[name], line, column)
		to, also := posIn(files[name], last, end)
		if !ok || !also {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: from, End: to, NewText: e.Text})
	}
	return edits
}

// lineOf is line n of content.
func lineOf(content []byte, n int) string {
	for line := range strings.Lines(string(content)) {
		if n--; n == 0 {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

// posIn returns the position of a line and a column of file, which has all its lines; not ok if there is none.
func posIn(file *token.File, line, column int) (token.Pos, bool) {
	if line > file.LineCount() {
		return token.NoPos, false
	}
	pos := file.LineStart(line) + token.Pos(column-1)
	return pos, int(pos) <= file.Base()+file.Size() && file.Line(pos) == line
}
