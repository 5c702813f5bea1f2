package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// An edit adds a statement to a function, each time another one. A file that is put back as it was would be one that
// caches know, as they go by content.
type edit struct {
	path     string
	original []byte
	offset   int
}

// newEdit finds the place: the first function of p's first file that has one, in files that people write if there are
// such.
func newEdit(p *pkg) (*edit, error) {
	var generated *edit
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		offset, ok := place(fset, file)
		switch e := (&edit{path, src, offset}); {
		case !ok:
		case !ast.IsGenerated(file):
			return e, nil
		case generated == nil:
			generated = e
		}
	}
	if generated == nil {
		return nil, fmt.Errorf("%s has no function to edit", p.ImportPath)
	}
	return generated, nil
}

// place is the offset behind the brace that opens the body of a function. What follows stands on other lines: all places
// that a finding could name stay as they are.
func place(fset *token.FileSet, file *ast.File) (int, bool) {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil || len(f.Body.List) == 0 {
			continue
		}
		if fset.Position(f.Body.Lbrace).Line < fset.Position(f.Body.List[0].Pos()).Line {
			return fset.Position(f.Body.Lbrace).Offset + 1, true
		}
	}
	return 0, false
}

// statement is what is added. Nothing reports a constant that is assigned to the blank identifier.
func statement(serial string) string { return fmt.Sprintf(" _ = %q;", "bench "+serial) }

// apply puts the edit with that serial in place of the last one.
func (e *edit) apply(serial string) error {
	src := bytes.Join([][]byte{e.original[:e.offset], e.original[e.offset:]}, []byte(statement(serial)))
	return os.WriteFile(e.path, src, 0o644)
}

// undo puts the file back.
func (e *edit) undo() error { return os.WriteFile(e.path, e.original, 0o644) }
