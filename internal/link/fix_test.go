package link

import (
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// A fix that waits comes to the bytes that it was made for, and to none where the file is another one by then.
func TestFix(t *testing.T) {
	const source = "package p\n\nfunc f() { g(1) }\n"
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	write := func(content string) {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(source)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	below := &analysis.Pass{Fset: fset, Pkg: types.NewPackage("example.com/p", "p"), ReadFile: os.ReadFile}
	const from, to = len("package p\n\nfunc f() { g("), len("package p\n\nfunc f() { g(1")
	kept := keepEdits(below, []analysis.TextEdit{{Pos: file.FileStart + token.Pos(from), End: file.FileStart + token.Pos(to), NewText: []byte("2")}})

	program := &analysis.Pass{Fset: token.NewFileSet(), Pkg: types.NewPackage("example.com/cmd", "main")}
	fix, dirs := &Fix{"two", kept}, Dirs{"example.com/p": dir}
	edits := fix.edits(program, dirs)
	if len(edits) != 1 || program.Fset.Position(edits[0].Pos).Offset != from || program.Fset.Position(edits[0].End).Offset != to || program.Fset.Position(edits[0].Pos).Filename != name {
		t.Errorf("%+v, want one from byte %d to %d of %s", edits, from, to, name)
	}
	write("package p\n\nfunc f() { h(1) }\n")
	if edits := fix.edits(program, dirs); edits != nil {
		t.Errorf("of another file: %+v", edits)
	}
	if edits := fix.edits(program, nil); edits != nil {
		t.Errorf("of no folder: %+v", edits)
	}
}
