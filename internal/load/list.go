// Package load brings packages from patterns to syntax and types, without a compiler: what the patterns name, and what
// that imports of the same modules, from source; of all else only what importing packages can see.
package load

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/deps"
	"github.com/ctrllint/ctrllint/internal/signature"
	"github.com/ctrllint/ctrllint/internal/subprocess"
)

// Config says what to load.
type Config struct {
	Context  context.Context // ends the go command when it is done
	Dir      string          // the working directory
	Env      []string        // the environment of the go command
	Tags     string          // build tags, separated by commas
	Tests    bool            // the packages' tests, too
	Patterns []string

	// Deps selects packages of dependencies to be loaded from source, if own packages import them, directly or not.
	Deps deps.Policy

	// Overlay has contents of files, by absolute name, that stand in the place of those on disk.
	Overlay map[string][]byte
}

func (c *Config) flags() []string {
	if c.Tags == "" {
		return nil
	}
	return []string{"-tags=" + c.Tags}
}

// command returns a call of the go command. It ends with the context, together with what it has started.
func (c *Config) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.Context, "go", args...)
	cmd.Dir, cmd.Env = c.Dir, append(slices.Clip(c.Env), "PWD="+c.Dir)
	subprocess.EndWithChildren(cmd)
	return cmd
}

// Env is what the go command says of itself and of the build.
type Env struct {
	GOVERSION, GOOS, GOARCH, GOEXPERIMENT, GOROOT, GOMODCACHE string

	// What cgo depends on.
	CGO_ENABLED, CC, CGO_CFLAGS, CGO_CPPFLAGS, CGO_LDFLAGS, PKG_CONFIG string
}

// Graph is the packages that the patterns name and all that they import.
type Graph struct {
	Roots []*packages.Package // what the patterns name
	Own   []*packages.Package // what is to be loaded from source: own packages, which are the roots and what they import of main modules, and parts of dependencies; imports first
	Env   Env
	Fset  *token.FileSet
	Sizes types.Sizes

	config  Config
	own     map[*packages.Package]bool
	parts   map[*packages.Package]bool // of dependencies that were analysed: those that take part
	checker *signature.Checker

	mu    sync.Mutex
	files map[string][]byte // the contents of files of Own
	cgo   map[*packages.Package]*cgoFiles

	runtimeOnce sync.Once
	runtime     []*packages.Package // what code imports that cgo makes
	runtimeErr  error
}

// mode asks for no types: go/packages would compile dependencies for those, or type-check all of their source.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest

// List asks the go command which packages there are. An error says that it could not tell.
func List(c Config) (*Graph, error) {
	env, err := c.env()
	if err != nil {
		return nil, err
	}
	roots, err := packages.Load(c.list(), c.Patterns...)
	if err != nil {
		return nil, err
	}
	g := &Graph{
		Roots: roots, Env: env, Fset: token.NewFileSet(), Sizes: types.SizesFor("gc", env.GOARCH),
		config: c, own: make(map[*packages.Package]bool), parts: make(map[*packages.Package]bool), files: make(map[string][]byte), cgo: make(map[*packages.Package]*cgoFiles),
	}
	g.checker = &signature.Checker{Fset: g.Fset, Sizes: g.Sizes, Read: g.Read, Compiled: g.compiled}
	for _, p := range roots {
		if !madeUp(p) {
			g.own[p] = true
		}
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if inRepository(p) && !madeUp(p) {
			g.own[p] = true
		}
	})
	g.addParts()
	packages.Visit(roots, nil, func(p *packages.Package) {
		if g.own[p] || g.parts[p] {
			g.Own = append(g.Own, p)
		}
	})
	return g, nil
}

// addParts finds the packages of dependencies that take part: those of which there may be something to know, and what
// leads to them. One that needs cgo stays out.
func (g *Graph) addParts() {
	if g.config.Deps == deps.Off {
		return
	}
	var matters func(p *packages.Package) bool
	matters = func(p *packages.Package) bool {
		part, known := g.parts[p]
		if known {
			return part
		}
		if len(p.GoFiles) > 0 && len(p.Errors) == 0 && g.config.Deps.Part(p.PkgPath, p.Module != nil) {
			for _, i := range p.Imports {
				part = !g.own[i] && g.leads(p, i) && matters(i) || part
			}
			var size deps.Size
			for _, name := range p.GoFiles {
				if src, err := g.Read(name); err == nil {
					size.Add(len(src), generated(src))
					part = part || deps.Matters(src)
				}
			}
			part = part && !size.MostlyGenerated() && !g.usesCgo(p)
		}
		g.parts[p] = part
		return part
	}
	for p := range g.own {
		for _, i := range p.Imports {
			if !g.own[i] {
				matters(i)
			}
		}
	}
}

// generated reports whether the Go file src is marked as generated, by what stands before its package clause.
func generated(src []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	return file != nil && err == nil && ast.IsGenerated(file)
}

// leads reports whether what the part p of a dependency imports may be a part because of that.
func (g *Graph) leads(p, i *packages.Package) bool {
	module := ""
	if p.Module != nil {
		module = p.Module.Path
	}
	return g.config.Deps == deps.All || deps.SameModule(p.PkgPath, i.PkgPath, module)
}

// inRepository reports whether p is the user's own: of a main module, or of one that go.mod replaces with a folder.
func inRepository(p *packages.Package) bool {
	m := p.Module
	if m == nil || m.Version != "" && (m.Replace == nil || m.Replace.Version != "") {
		return false
	}
	return m.Replace == nil || len(p.GoFiles) == 0 || !strings.Contains(filepath.ToSlash(p.GoFiles[0]), "/vendor/")
}

// Reread is g with the contents of overlay in the place of files of the user's own packages, by absolute name. What
// is known of dependencies is not looked for again: none of them imports an own package.
func (g *Graph) Reread(overlay map[string][]byte) *Graph {
	r := &Graph{
		Roots: g.Roots, Own: g.Own, Env: g.Env, Fset: g.Fset, Sizes: g.Sizes,
		config: g.config, own: g.own, parts: g.parts, files: make(map[string][]byte), cgo: make(map[*packages.Package]*cgoFiles),
	}
	r.config.Overlay = maps.Clone(g.config.Overlay)
	if r.config.Overlay == nil {
		r.config.Overlay = make(map[string][]byte)
	}
	maps.Copy(r.config.Overlay, overlay)
	r.checker = g.checker.Without(g.IsOwn, r.Read)
	r.checker.Compiled = r.compiled
	return r
}

func (c *Config) list() *packages.Config {
	return &packages.Config{
		Mode: mode, Context: c.Context, Dir: c.Dir, Env: c.Env, BuildFlags: c.flags(), Tests: c.Tests, Overlay: c.Overlay,
	}
}

// madeUp reports whether p is the main package that go test makes of tests.
func madeUp(p *packages.Package) bool {
	return strings.HasSuffix(p.ID, ".test") && p.Name == "main" && p.Imports["testing/internal/testdeps"] != nil
}

// GoVersion returns the language version of p, in the form of go/types; empty if it is not known.
func GoVersion(p *packages.Package) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

func (c *Config) env() (Env, error) {
	var env Env
	cmd := c.command("env", "-json")
	out, err := output(cmd)
	if err != nil {
		return env, err
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("go env: %w", err)
	}
	return env, nil
}

// output returns the standard output of cmd. An error has its standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		if text := strings.TrimSpace(said.String()); text != "" {
			return nil, fmt.Errorf("%s", text)
		}
		return nil, fmt.Errorf("go %s: %w", cmd.Args[1], err)
	}
	return out, nil
}

// IsOwn reports whether p is one of g.Own, and not of a dependency.
func (g *Graph) IsOwn(p *packages.Package) bool { return g.own[p] }

// OfDependency reports whether p is a package of the standard library, or of a module that has a version.
func (g *Graph) OfDependency(p *packages.Package) bool {
	if p.Module == nil {
		return len(p.GoFiles) > 0 && strings.HasPrefix(p.GoFiles[0], filepath.Join(g.Env.GOROOT, "src")+string(filepath.Separator))
	}
	return !inRepository(p)
}

// IsPart reports whether p is a package of a dependency that is loaded from source.
func (g *Graph) IsPart(p *packages.Package) bool { return g.parts[p] }

// Dependencies returns the number of packages that are not g.Own.
func (g *Graph) Dependencies() int {
	n := 0
	packages.Visit(g.Roots, nil, func(p *packages.Package) {
		if !g.own[p] && !g.parts[p] && !madeUp(p) {
			n++
		}
	})
	return n
}

// Signatures returns the number of packages that were type-checked without function bodies.
func (g *Graph) Signatures() int { return g.checker.Checked() }

// Types returns the types of p for importing packages, perhaps with an error.
func (g *Graph) Types(p *packages.Package) (*types.Package, error) { return g.checker.Package(p) }

// Read returns the contents of a file. Those of own packages are read once, for the key and the analysis.
func (g *Graph) Read(name string) ([]byte, error) {
	if src, ok := g.config.Overlay[name]; ok {
		return src, nil
	}
	g.mu.Lock()
	src, ok := g.files[name]
	g.mu.Unlock()
	if ok {
		return src, nil
	}
	return os.ReadFile(name)
}

// keep reads a file, unless it was read before.
func (g *Graph) keep(name string) error {
	src, err := g.Read(name)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.files[name]; !ok {
		g.files[name] = src
	}
	return nil
}

// Kept returns the contents of a file of an own package as it was analysed or hashed. It is false for other files.
func (g *Graph) Kept(name string) ([]byte, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	src, ok := g.files[name]
	return src, ok
}

// newer returns the hint that the go command is newer than the Go that this program was built with; empty if it is not.
func (g *Graph) newer() string {
	var ours, theirs int
	if _, err := fmt.Sscanf(runtime.Version(), "go1.%d", &ours); err != nil {
		return ""
	}
	if _, err := fmt.Sscanf(g.Env.GOVERSION, "go1.%d", &theirs); err != nil || theirs <= ours {
		return ""
	}
	return fmt.Sprintf("ctrllint was built with Go 1.%d but the code is for Go 1.%d: build ctrllint with that version", ours, theirs)
}
