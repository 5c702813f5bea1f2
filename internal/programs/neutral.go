package programs

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

// given are the methods that interfaces of others have.
var given = map[string]bool{
	"Reconcile": true, "SetupWithManager": true, "Start": true, "NeedLeaderElection": true, "Run": true,
	"Create": true, "Update": true, "Delete": true, "Generic": true, "OnAdd": true, "OnUpdate": true, "OnDelete": true,
	"Error": true, "String": true, "Unwrap": true, "Is": true, "Write": true, "Read": true, "Close": true, "Len": true, "Less": true, "Swap": true,
	"Lock": true, "Unlock": true, "ServeHTTP": true, "DeepCopyObject": true, "DeepCopy": true, "DeepCopyInto": true, "Finalize": true, "HasSynced": true, "GetObjectKind": true,
	"main": true, "init": true, "_": true,
}

// neutral replaces each name that the programs of the module in dir declare by a neutral one, exported if it was, and
// returns their number. Names of API types and of libraries, and methods that others call, are kept.
func neutral(dir string) (int, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedDeps | packages.NeedImports,
		Dir:  dir, Fset: token.NewFileSet(),
	}
	all, err := packages.Load(cfg, "./...")
	if err != nil {
		return 0, err
	}
	renamed := map[string]string{}
	edits := map[string][]edit{}
	own := map[*types.Package]bool{}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return 0, fmt.Errorf("%s: %w", p.PkgPath, errors.Join(p.Errors[0]))
		}
		own[p.Types] = !strings.Contains(p.PkgPath+"/", "/api/") && !strings.Contains(p.PkgPath, "/pkg/")
	}
	add := func(id *ast.Ident) {
		renamed[id.Name] = ""
		at := cfg.Fset.Position(id.Pos())
		edits[at.Filename] = append(edits[at.Filename], edit{at.Offset, id.Name})
	}
	for _, p := range all {
		if !own[p.Types] {
			continue
		}
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSwitchStmt); ok { // its variable has an object in each case, and none here
					if as, ok := s.Assign.(*ast.AssignStmt); ok {
						if id, ok := as.Lhs[0].(*ast.Ident); ok {
							add(id)
						}
					}
				}
				return true
			})
		}
		for _, table := range []map[*ast.Ident]types.Object{p.TypesInfo.Defs, p.TypesInfo.Uses} {
			for id, obj := range table {
				if obj == nil || !own[obj.Pkg()] || given[id.Name] || kept(obj, own) {
					continue
				}
				add(id)
			}
		}
	}
	names := make([]string, 0, len(renamed))
	for n := range renamed {
		names = append(names, n)
	}
	sort.Strings(names)
	for i, n := range names {
		if ast.IsExported(n) {
			renamed[n] = fmt.Sprintf("N%d", i)
		} else {
			renamed[n] = fmt.Sprintf("n%d", i)
		}
	}
	for file, list := range edits {
		if err := replace(file, list, renamed); err != nil {
			return 0, err
		}
	}
	return len(names), nil
}

// kept reports whether the name of obj is not its own: of an embedded field, an imported package or a method of a
// type elsewhere.
func kept(obj types.Object, own map[*types.Package]bool) bool {
	switch obj := obj.(type) {
	case *types.PkgName, *types.Label:
		return true
	case *types.Var:
		if !obj.Embedded() {
			return false
		}
		t := types.Unalias(obj.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		return !ok || !own[n.Obj().Pkg()]
	}
	return false
}

// An edit is a name at an offset of a file, in bytes.
type edit struct {
	offset int
	name   string
}

// replace makes the edits in file, from its end.
func replace(file string, list []edit, renamed map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sort.Slice(list, func(i, j int) bool { return list[i].offset > list[j].offset })
	last := -1
	for _, e := range list {
		if e.offset == last {
			continue // a field in a literal, a variable of a type switch
		}
		last = e.offset
		if !strings.HasPrefix(string(text[e.offset:]), e.name) {
			return fmt.Errorf("%s: no %s at offset %d", filepath.Base(file), e.name, e.offset)
		}
		text = append(text[:e.offset:e.offset], append([]byte(renamed[e.name]), text[e.offset+len(e.name):]...)...)
	}
	return os.WriteFile(file, text, 0o644)
}

// neutralCopy puts the modules of dir under neutral names into the folder to.
func neutralCopy(w io.Writer, dir, to string) error {
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return err
	}
	modules, err := filepath.Glob(filepath.Join(to, "*", "go.mod"))
	if err != nil {
		return err
	}
	for _, m := range modules {
		n, err := neutral(filepath.Dir(m))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d names replaced\n", filepath.Base(filepath.Dir(m)), n)
	}
	return nil
}
