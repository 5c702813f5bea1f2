package partial_test

import (
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
	if tried, given := eachMissing(t, listed(t, "./internal/load", "./internal/blocking")); tried < 20 || given < 300 {
		t.Errorf("only %d imports were missing, and %d values unknown", tried, given)
	}
}

func TestExhaustiveEachImportMissing(t *testing.T) {
	if tried, given := eachMissing(t, listed(t, "./internal/...")); tried < 500 || given < 5000 {
		t.Errorf("only %d imports were missing, and %d values unknown", tried, given)
	}
}

// listed are packages of this module.
func listed(t *testing.T, patterns ...string) *load.Graph {
	t.Helper()
	g, err := load.List(load.Config{Context: t.Context(), Dir: "../..", Env: os.Environ(), Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// eachMissing is how many imports the packages of g have, and how many values are not known without each of them.
func eachMissing(t *testing.T, g *load.Graph) (tried, given int) {
	t.Helper()
	for _, p := range g.Roots {
		for path := range p.Imports {
			tried++
			given += withoutImport(t, g, p, path)
		}
	}
	return tried, given
}

// Whichever package is missing from a program, what is left of the others has an SSA form, also of those that know of
// it only by what they import.
func TestPackageMissing(t *testing.T) {
	packageMissing(t, listed(t, "./internal/driver", "./internal/partial", "./internal/suppress", "./internal/page"), "go/types")
}

func TestExhaustivePackageMissing(t *testing.T) {
	g := listed(t, "./internal/...")
	for _, gone := range []string{"go/token", "go/types", "golang.org/x/tools/go/ssa"} {
		packageMissing(t, g, gone)
	}
}

// packageMissing fails t unless what is left of the packages of g without gone has an SSA form, and there is
// something left to do with it.
func packageMissing(t *testing.T, g *load.Graph, gone string) {
	t.Helper()
	l := &lacking{t: t, g: g, gone: gone, types: make(map[*packages.Package]*types.Package), lack: make(map[*packages.Package]bool)}
	given, around := 0, 0
	for _, p := range g.Roots {
		if l.of(p) == nil || !l.reaches(p) {
			continue
		}
		n := l.without(p)
		if given += n; p.Imports[gone] == nil {
			around += n
		}
	}
	if given < 40 || around == 0 {
		t.Errorf("without %s, only %d values are unknown, %d of them where nobody imports it", gone, given, around)
	}
}

// lacking is a program from which a package is missing.
type lacking struct {
	t     *testing.T
	g     *load.Graph
	gone  string
	types map[*packages.Package]*types.Package // as they are imported
	lack  map[*packages.Package]bool
}

// reaches reports whether p imports what is missing, or what does.
func (l *lacking) reaches(p *packages.Package) bool {
	if known, ok := l.lack[p]; ok {
		return known
	}
	lacks := false
	for path, i := range p.Imports {
		lacks = lacks || path == l.gone || l.reaches(i)
	}
	l.lack[p] = lacks
	return lacks
}

func (l *lacking) of(p *packages.Package) *types.Package {
	if known, ok := l.types[p]; ok {
		return known
	}
	var pkg *types.Package
	switch {
	case p.PkgPath == l.gone:
	case !l.reaches(p):
		pkg, _ = l.g.Types(p)
	default:
		c, files := l.parsed(p)
		for _, f := range files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					fn.Body = nil
				}
			}
		}
		pkg = partial.Declared(files, func(unknown *types.Package) *partial.Checked { return c.check(p.PkgPath, files, unknown) })
	}
	l.types[p] = pkg
	return pkg
}

func (l *lacking) parsed(p *packages.Package) (*checker, []*ast.File) {
	fset := token.NewFileSet()
	return &checker{fset, func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if t := l.of(p.Imports[path]); t != nil {
			return t, nil
		}
		return nil, errGone
	}}, parsed(l.t, fset, p)
}

// without is how many values of p are not known.
func (l *lacking) without(p *packages.Package) int {
	defer func() {
		if r := recover(); r != nil {
			l.t.Errorf("%s without %s: %v", p.PkgPath, l.gone, r)
		}
	}()
	c, files := l.parsed(p)
	completed := partial.Complete(files, func(unknown *types.Package) *partial.Checked { return c.check(p.PkgPath, files, unknown) })
	return callsIn(build(l.t, c.fset, files, completed))
}

func parsed(t *testing.T, fset *token.FileSet, p *packages.Package) (files []*ast.File) {
	t.Helper()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// withoutImport is how many values of p are not known without that import.
func withoutImport(t *testing.T, g *load.Graph, p *packages.Package, path string) int {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s without %s: %v", p.PkgPath, path, r)
		}
	}()
	fset := token.NewFileSet()
	files := parsed(t, fset, p)
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
	return callsIn(build(t, fset, files, completed))
}

// callsIn is how often the functions of p call for something that is not known.
func callsIn(p *ssa.Package) (n int) {
	for _, m := range p.Members {
		if fn, ok := m.(*ssa.Function); ok {
			n += calls(fn)
		}
	}
	return n
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

// user imports what is not there, and is imported by a package that does not know of it.
const user = `package user

import "gone"

type (
	Items  []*gone.Item
	ByName map[gone.Name]int
	Do     func(gone.Item, string) error
	Queue  chan gone.Item
	Alias  = gone.Item
	Own    struct {
		gone.Base
		Item gone.Item
		N    int
	}
)

var Latest = gone.Latest()

const Kind = gone.Kind

func List(*gone.Client) []*gone.Item { return nil }

func (*Own) Keep(gone.Item, string) error { return nil }
`

// What a package declares with types that are not known has whole ones for those that import it: what is its own
// stays called there, and what is not known is no silence of the type checker, that all is good.
func TestImportOfWhatLacks(t *testing.T) {
	fset := token.NewFileSet()
	parse := func(src string) []*ast.File {
		f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		return []*ast.File{f}
	}
	missing := &checker{fset, func(string) (*types.Package, error) { return nil, errGone }}
	imported := parse(user)
	declared := partial.Declared(imported, func(unknown *types.Package) *partial.Checked { return missing.check("user", imported, unknown) })
	c := &checker{fset, func(string) (*types.Package, error) { return declared, nil }}

	for _, test := range []struct{ name, src, want string }{
		{"a field of an element", "for _, i := range user.List(nil) { use(*i.Id) }", "List len if Unknown use"},
		{"a variable", "user.Latest.Do(o, func() { use(o) })", "Unknown f$1: use"},
		{"a constant", "if user.Kind == o.N { use(o) }", "Unknown if use"},
		{"a method", "use(o.Keep(o.Item, o.Item.Name()), o.Base.Name)", "Unknown Keep Unknown use"},
		{"a literal", "use(user.Items{nil, user.Latest}, user.ByName{\"a\": 1, user.Latest: 2}, &user.Own{N: user.Latest.N})", "Unknown Unknown Unknown use"},
		{"a map", "m := user.ByName{}; m[\"a\"] = 1; use(m[user.Latest]); delete(m, 1); for k := range m { k.Do() }", "Unknown Unknown use Unknown if Unknown"},
		{"a function", "var d user.Do = func(i user.Alias, s string) error { return i.Do(s) }; use(d(nil, \"\"))", "Unknown t0 use f$1: Unknown"},
		{"a channel", "q := make(user.Queue); q <- user.Latest; q <- nil; select { case i := <-q: use(i.Id); case q <- user.Latest: }", "Unknown send Unknown send Unknown select if Unknown use if"},
		{"what may be anything", "var e error = user.Latest; switch x := user.Latest.(type) { case user.Alias: use(x.Id, e); case *user.Own: use(x.N) }", "Unknown Unknown Unknown if Unknown Unknown use Unknown use Unknown if"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := parse("package p\n\nimport \"user\"\n\nfunc use(...any) {}\n\nfunc f(o *user.Own) {\n" + test.src + "\n}\n")
			if whole := c.check("p", files, types.NewPackage(partial.Path, "unknown")); len(whole.Errors) == 0 && whole.Whole() {
				t.Error("all is known")
			}
			completed := partial.Complete(files, func(unknown *types.Package) *partial.Checked { return c.check("p", files, unknown) })
			if len(completed.Errors) > 0 {
				t.Fatal(completed.Errors)
			}
			got := strings.Join(slices.DeleteFunc(said(build(t, fset, files, completed).Func("f")), func(s string) bool { return s == "" }), " ")
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
