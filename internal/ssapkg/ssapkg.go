// Package ssapkg returns the analyzers the SSA form of the package under analysis.
//
// It stands in for x/tools' buildssa, which needs the ctrlflow analyzer; that one exports facts, and an analyzer with
// facts makes every driver analyse every dependency from source. What ctrlflow knew is here a table of the functions
// that never return. The SSA is built on the first call of [Of], once for all rules: a package that no rule
// wants to look into costs nothing.
package ssapkg

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Analyzer has a *Lazy as its result.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintssa",
	Doc:        "build the SSA form of a package when a rule asks for it",
	Run:        func(pass *analysis.Pass) (any, error) { return &Lazy{pass: pass}, nil },
	ResultType: reflect.TypeFor[*Lazy](),
	// A package with type errors is reported by the driver; SSA of it would panic.
	RunDespiteErrors: false,
}

// Package is the SSA form of one package.
type Package struct {
	*ssa.Package
	// Funcs are the package's functions and methods by their names, each followed by its function literals.
	// Generic functions appear as their origin, uninstantiated.
	Funcs []*ssa.Function
	// Asserted is what the package says by "var _ I = value", of which no code is made.
	Asserted []Assertion

	calls map[token.Pos]*ast.CallExpr // by opening parenthesis
}

// An Assertion says that a type is to be used as an interface.
type Assertion struct{ Type, Interface types.Type }

// Call returns the syntax of the call at pos, the position of an ssa call; nil if the source has none.
func (p *Package) Call(pos token.Pos) *ast.CallExpr { return p.calls[pos] }

// maxSpelled is the length in bytes up to which the source's own words fit into a message.
const maxSpelled = 60

// Spelled returns the function of the call at pos as the source has it, the end of that where it is long; empty if
// the source has no such call, or one of what a call or a literal gives.
func (p *Package) Spelled(pos token.Pos) string {
	c := p.Call(pos)
	if c == nil {
		return ""
	}
	s := types.ExprString(c.Fun)
	if strings.ContainsAny(s, "\n{(") {
		return ""
	}
	if parts := strings.Split(s, "."); len(s) > maxSpelled && len(parts) > 2 {
		s = "…" + strings.Join(parts[len(parts)-2:], ".")
	}
	return s
}

// Lazy builds a Package once, when it is first wanted. It is safe for concurrent use.
type Lazy struct {
	pass *analysis.Pass
	once sync.Once
	pkg  *Package
	fail any
	by   string
	time time.Duration
}

// Cost returns how long it took to build the package, and the analyzer that had to wait for it because it was the
// first one to want it; empty if none did.
func (l *Lazy) Cost() (by string, t time.Duration) { return l.by, l.time }

// Of returns the Package of a pass whose analyzer requires Analyzer.
func Of(pass *analysis.Pass) *Package { return pass.ResultOf[Analyzer].(*Lazy).Get(pass.Analyzer.Name) }

// Get builds the package on the first call, which is that of the analyzer by. It panics, in every caller, where the SSA
// builder panicked: rule.Wrap turns that into a finding that says so.
func (l *Lazy) Get(by string) *Package {
	l.once.Do(func() {
		start := time.Now()
		defer func() { l.fail, l.by, l.time = recover(), by, time.Since(start) }()
		l.pkg = build(l.pass)
	})
	if l.fail != nil {
		panic(l.fail)
	}
	return l.pkg
}

func build(pass *analysis.Pass) *Package {
	// Without ssa.GlobalDebug there are no ssa.DebugRef instructions: a referrer of a value is a use of it.
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(kubeapi.NeverReturns)
	// Only direct imports: a function of a transitive import cannot be named, and methods are made on demand.
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	p := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	p.Build()

	pkg := &Package{Package: p, calls: map[token.Pos]*ast.CallExpr{}}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				pkg.calls[n.Lparen] = n
			case *ast.ValueSpec:
				if n.Type != nil && len(n.Names) == len(n.Values) {
					for i, name := range n.Names {
						t, iface := pass.TypesInfo.TypeOf(n.Values[i]), pass.TypesInfo.TypeOf(n.Type)
						if name.Name == "_" && t != nil && iface != nil && types.IsInterface(iface) {
							pkg.Asserted = append(pkg.Asserted, Assertion{t, iface})
						}
					}
				}
			}
			return true
		})
	}
	var declared []*ssa.Function
	tests := testFiles(pass)
	for _, file := range pass.Files {
		if tests[file] {
			continue
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					if f := prog.FuncValue(fn); f != nil {
						declared = append(declared, f)
					}
				}
			}
		}
	}
	// By their names, so that no answer hangs on where a function stands: the first one that is found is always the same.
	slices.SortStableFunc(declared, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	for _, f := range declared {
		pkg.add(f)
	}
	// Function literals in package variables belong to the synthetic initialiser.
	if f := p.Func("init"); f != nil {
		for _, anon := range f.AnonFuncs {
			if !slices.ContainsFunc(pass.Files, func(file *ast.File) bool {
				return tests[file] && file.FileStart <= anon.Pos() && anon.Pos() < file.FileEnd
			}) {
				pkg.add(anon)
			}
		}
	}
	pkg.seeThrough(pass)
	return pkg
}

// testFiles returns the files of tests, unless those are asked for, or there are no others. go vet and golangci-lint
// give a package together with its tests: what these do with it is no part of the program, and must not make it look
// better, or worse, than it is without them.
func testFiles(pass *analysis.Pass) map[*ast.File]bool {
	tests := map[*ast.File]bool{}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			tests[f] = true
		}
	}
	if rule.Active.Tests || len(tests) == len(pass.Files) {
		return nil
	}
	return tests
}

// SSA returns the package as go/ssa has it.
func (p *Package) SSA() *ssa.Package { return p.Package }

// All returns the functions of the package, and its initialiser.
func (p *Package) All() []*ssa.Function {
	if init := p.Func("init"); init != nil {
		return append(p.Funcs[:len(p.Funcs):len(p.Funcs)], init)
	}
	return p.Funcs
}

func (p *Package) add(f *ssa.Function) {
	p.Funcs = append(p.Funcs, f)
	for _, anon := range f.AnonFuncs {
		p.add(anon)
	}
}
