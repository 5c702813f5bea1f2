package link

import (
	"go/token"
	"go/types"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// A finding that waits names the places that the program has, and leaves those out that are in packages of which it knows the facts alone.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	kept := Kept{At: "example.com/p/p.go:3:1", Related: []Beside{{At: "example.com/library/client.go:7:2", Message: "made here"}, {At: "example.com/p/p.go:5:1", Message: "and so is this"}}}
	program := &analysis.Pass{Fset: token.NewFileSet(), Pkg: types.NewPackage("example.com/cmd", "main")}
	f := kept.Finding(program, Dirs{"example.com/p": dir})
	if p := program.Fset.Position(f.Pos); p.Filename != filepath.Join(dir, "p.go") || p.Line != 3 {
		t.Errorf("the finding is at %v", p)
	}
	if len(f.Related) != 1 || f.Related[0].Message != "and so is this" || program.Fset.Position(f.Related[0].Pos).Line != 5 {
		t.Errorf("beside it are %+v", f.Related)
	}
}
