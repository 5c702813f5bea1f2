package partial_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/partial"
)

// checker type-checks files as a package that imports others, of which some are missing.
type checker struct {
	fset    *token.FileSet
	imports func(path string) (*types.Package, error)
}

func (c *checker) check(path string, files []*ast.File, unknown *types.Package) *partial.Checked {
	out := &partial.Checked{Info: load.NewInfo()}
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) {
			if path == unknown.Path() {
				return unknown, nil
			}
			return c.imports(path)
		}),
		Error: func(err error) { out.Errors = append(out.Errors, err.(types.Error)) }, //nolint:errorlint // What go/types gives is not wrapped.
	}
	out.Types, _ = conf.Check(path, c.fset, files, out.Info)
	return out
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// build makes the SSA form of files, and has it checked.
func build(t *testing.T, fset *token.FileSet, files []*ast.File, c *partial.Checked) *ssa.Package {
	t.Helper()
	prog := ssa.NewProgram(fset, ssa.SanityCheckFunctions)
	for _, p := range c.Types.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	p := prog.CreatePackage(c.Types, files, c.Info, false)
	p.Build()
	return p
}

var errGone = errors.New("gone")

// Whichever import of a real package is missing, what is left of it has an SSA form.
func TestEachImportMissing(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks each package as often as it has imports")
	}
	g, err := load.List(load.Config{
		Context: context.Background(), Dir: "../..", Env: os.Environ(),
		Patterns: []string{"./internal/..."},
	})
	if err != nil {
		t.Fatal(err)
	}
	tried, given := 0, 0
	for _, p := range g.Roots {
		for path := range p.Imports {
			tried++
			given += withoutImport(t, g, p, path)
		}
	}
	if tried < 500 || given < 5000 {
		t.Errorf("only %d imports were missing, and %d values unknown", tried, given)
	}
}

// withoutImport is how many values of p are not known without that import.
func withoutImport(t *testing.T, g *load.Graph, p *packages.Package, path string) (given int) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s without %s: %v", p.PkgPath, path, r)
		}
	}()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	c := &checker{fset, func(i string) (*types.Package, error) {
		if i == path {
			return nil, errGone
		}
		if i == "unsafe" {
			return types.Unsafe, nil
		}
		return g.Types(p.Imports[i])
	}}
	completed := partial.Complete(files, func(unknown *types.Package) *partial.Checked { return c.check(p.PkgPath, files, unknown) })
	for _, m := range build(t, fset, files, completed).Members {
		if fn, ok := m.(*ssa.Function); ok {
			given += calls(fn)
		}
	}
	return given
}

// calls is how often fn, and what is declared in it, calls for something that is not known.
func calls(fn *ssa.Function) (n int) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				if callee := call.Common().StaticCallee(); callee != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == partial.Path {
					n++
				}
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		n += calls(anon)
	}
	return n
}

const header = `package p

import (
	"sync"

	"gone"
)

type T struct {
	gone.Base
	mu     sync.Mutex
	client gone.Client
	done   chan struct{}
	n      int
}

func use(...any)     {}
func take(gone.Item) {}
func two() (int, error) { return 0, nil }
`

// body is what is left of a function with that body.
func body(t *testing.T, src string) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", header+"\nfunc f(t *T, item gone.Item, err error) (n int, _ error) {\n"+src+"\nreturn 0, nil\n}\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	files := []*ast.File{f}
	syncPkg := types.NewPackage("sync", "sync")
	mutex := types.NewNamed(types.NewTypeName(token.NoPos, syncPkg, "Mutex", nil), types.NewStruct(nil, nil), nil)
	for _, name := range []string{"Lock", "Unlock"} {
		recv := types.NewVar(token.NoPos, syncPkg, "m", types.NewPointer(mutex))
		mutex.AddMethod(types.NewFunc(token.NoPos, syncPkg, name, types.NewSignatureType(recv, nil, nil, nil, nil, false)))
	}
	syncPkg.Scope().Insert(mutex.Obj())
	syncPkg.MarkComplete()
	c := &checker{fset, func(path string) (*types.Package, error) {
		if path == "sync" {
			return syncPkg, nil
		}
		return nil, errGone
	}}
	p := build(t, fset, files, partial.Complete(files, func(unknown *types.Package) *partial.Checked { return c.check("p", files, unknown) }))
	return p.Func("f")
}

// said is each call in fn, by what it calls and what of the package's own it is given, and each other effect.
func said(fn *ssa.Function) (out []string) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case ssa.CallInstruction:
				name := in.Common().Value.Name()
				if in.Common().IsInvoke() {
					name = in.Common().Method.Name()
				}
				out = append(out, name)
			case *ssa.Send:
				out = append(out, "send")
			case *ssa.Select:
				out = append(out, "select")
			case *ssa.If:
				out = append(out, "if")
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		out = append(append(out, anon.Name()+":"), said(anon)...)
	}
	return out
}

func TestStatements(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"a call of what is missing", "gone.Do(t.mu, t.done)", "Unknown"},
		{"values of what is missing", "x, err2 := gone.New(t); if err2 != nil { return 1, err2 }; use(x)", "Unknown Unknown if Unknown Unknown use"},
		{"a known variable of two", "var x any; x, err = gone.New(t); use(x, err)", "Unknown Unknown Unknown use"},
		{"own calls keep", "t.mu.Lock(); use(item.Name()); t.mu.Unlock()", "Lock Unknown use Unlock"},
		{"a type that is missing is one", "take(item); take(item.Next())", "take Unknown take"},
		{"two results", "n, err = two(); t.n, err = two(); t.client.n, err = two()", "two two Unknown two"},
		{"a condition", "if t.n > 0 && item.Bad() { return }; use(1)", "if use Unknown if"},
		{"a loop", "for _, i := range item.All() { use(i); if i.Last() { break } }; use(2)", "Unknown use Unknown if use Unknown if"},
		{"a literal's body", "gone.With(func() { close(t.done); item.Do() })", "Unknown f$1: close Unknown"},
		{"go and defer", "go item.Run(t.done); defer item.Close()", "Unknown Unknown"},
		{"a switch", "switch item.Kind() { case gone.A: use(1); default: use(2) }", "Unknown Unknown if use use"},
		{"a type switch", "switch x := item.Get().(type) { case gone.A: use(1); case error: use(x) }", "Unknown Unknown if Unknown use Unknown use Unknown if"},
		{"a type switch over something known", "switch x := any(err).(type) { case *gone.A: x.Do(); case error: use(x) }", "if Unknown if use"},
		{"a select", "select { case <-item.Done(): case v := <-item.More(): use(v); case <-t.done: }", "Unknown Unknown select if if Unknown use if"},
		{"a send", "item.C() <- t; t.done <- item.Empty()", "Unknown Unknown send"},
		{"what is set", "t.n += item.Count(); t.n = item.Count(); t.client.X = t; item.N++", "Unknown Unknown Unknown Unknown"},
		{"literals", "use(&T{client: gone.New(t), n: item.N()}, []int{item.N(), 1}, map[string]int{item.Name(): 1})", "Unknown Unknown Unknown Unknown use"},
		{"returned", "return item.Two()", "Unknown Unknown Unknown"},
		{"returned one by one", "return item.N(), gone.Err(t)", "Unknown Unknown"},
		{"a panic", "panic(item.Err())", "Unknown"},
		{"labels", "L:\nfor item.Next() { for i := gone.N(); i < 2; i++ { continue L } }", "Unknown Unknown Unknown if"},
		{"variables", "var a, b = gone.Two(); var c gone.Item; var d int = gone.N(); use(a, b, c, d)", "Unknown Unknown Unknown Unknown use"},
		{"a method that comes from what is embedded", "t.Promoted(t.done); use(t.Field)", "Unknown Unknown use"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(slices.DeleteFunc(said(body(t, test.src)), func(s string) bool { return s == "" }), " ")
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
