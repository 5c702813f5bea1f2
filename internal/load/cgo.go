package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// cgoFiles are the files that cgo makes of those of one package, and what they import.
type cgoFiles struct {
	useOnce sync.Once
	used    bool // else the package needs no cgo

	once    sync.Once
	names   []string
	imports map[string]*packages.Package
	err     error
}

// compiled returns the files of p after cgo, which the go command runs, and what they import. Nothing is compiled but
// what cgo asks the C compiler for.
func (g *Graph) compiled(p *packages.Package) ([]string, map[string]*packages.Package, error) {
	c := g.cgoOf(p)
	c.once.Do(func() {
		if c.names, c.err = g.runCgo(p); c.err == nil {
			c.imports, c.err = g.addImports(p)
		}
	})
	return c.names, c.imports, c.err
}

func (g *Graph) cgoOf(p *packages.Package) *cgoFiles {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.cgo[p]
	if c == nil {
		c = new(cgoFiles)
		g.cgo[p] = c
	}
	return c
}

// addImports returns what p imports together with what cgo adds to that.
func (g *Graph) addImports(p *packages.Package) (map[string]*packages.Package, error) {
	g.runtimeOnce.Do(func() {
		cfg := g.config.list()
		cfg.Tests = false
		g.runtime, g.runtimeErr = packages.Load(cfg, "runtime/cgo", "syscall")
	})
	imports := maps.Clone(p.Imports)
	for _, i := range g.runtime {
		if imports[i.PkgPath] == nil {
			imports[i.PkgPath] = i
		}
	}
	return imports, g.runtimeErr
}

func (g *Graph) runCgo(p *packages.Package) ([]string, error) {
	args := append([]string{"list", "-e", "-compiled", "-json=ImportPath,Dir,CompiledGoFiles,Error,DepsErrors"}, g.config.flags()...)
	id, what := p.PkgPath, []string{p.PkgPath}
	switch {
	case p.PkgPath == p.ForTest: // with its test files; other variants differ from the package itself in imports only
		args, id = append(args, "-test"), p.ID
	case p.PkgPath == "command-line-arguments":
		what = p.GoFiles
	}
	out, err := output(g.config.command(slices.Concat(args, []string{"--"}, what)...))
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var listed struct {
			ImportPath, Dir string
			CompiledGoFiles []string
			Error           *listError
			DepsErrors      []*listError
		}
		if err := d.Decode(&listed); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if listed.ImportPath != id {
			continue
		}
		if listed.Error != nil {
			return nil, errors.New(strings.TrimSpace(listed.Error.Err))
		}
		var names []string
		for _, name := range listed.CompiledGoFiles {
			if !filepath.IsAbs(name) {
				name = filepath.Join(listed.Dir, name)
			}
			if ext := filepath.Ext(name); ext == "" || ext == ".go" { // the cache's files have none
				names = append(names, name)
			}
		}
		if names != nil {
			return names, nil
		}
		for _, e := range listed.DepsErrors {
			return nil, errors.New(strings.TrimSpace(e.Err))
		}
		return nil, fmt.Errorf("cgo returned no files for %s", p.ID)
	}
	return nil, fmt.Errorf("go list does not know %s after cgo", p.ID)
}

// listError is an error in the output of go list.
type listError struct{ Err string }

// usesCgo reports whether one of the files of p imports C. The text decides before the parser: most have no such word.
func (g *Graph) usesCgo(p *packages.Package) bool {
	c := g.cgoOf(p)
	c.useOnce.Do(func() {
		c.used = slices.ContainsFunc(p.GoFiles, func(name string) bool {
			src, err := g.Read(name)
			return err == nil && bytes.Contains(src, []byte(`"C"`)) && importsC(src)
		})
	})
	return c.used
}
