package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// cgoFiles are the files that cgo makes of those of one package, and what they import.
type cgoFiles struct {
	once    sync.Once
	names   []string
	imports map[string]*packages.Package
	err     error
}

// compiled gives the files of p after cgo, which the go command runs, and what they import. Nothing is compiled but what
// cgo asks the C compiler for.
func (g *Graph) compiled(p *packages.Package) ([]string, map[string]*packages.Package, error) {
	g.mu.Lock()
	c := g.cgo[p]
	if c == nil {
		c = new(cgoFiles)
		g.cgo[p] = c
	}
	g.mu.Unlock()
	c.once.Do(func() {
		if c.names, c.err = g.runCgo(p); c.err == nil {
			c.imports, c.err = g.addImports(p)
		}
	})
	return c.names, c.imports, c.err
}

// addImports gives what p imports together with what cgo adds to that.
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
	args := append([]string{"list", "-e", "-compiled", "-json=ImportPath,Dir,CompiledGoFiles,Error"}, g.config.flags()...)
	what := p.PkgPath
	if p.ForTest != "" {
		args, what = append(args, "-test"), p.ForTest
	}
	out, err := output(g.config.command(append(args, "--", what)...))
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var listed struct {
			ImportPath, Dir string
			CompiledGoFiles []string
			Error           *struct{ Err string }
		}
		if err := d.Decode(&listed); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if listed.ImportPath != p.ID {
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
		return names, nil
	}
	return nil, fmt.Errorf("go list does not know %s after cgo", p.ID)
}

// usesCgo reports whether one of the files of p imports C. The text decides before the parser: most have no such word.
func (g *Graph) usesCgo(p *packages.Package) bool {
	for _, name := range p.GoFiles {
		if src, err := g.Read(name); err == nil && bytes.Contains(src, []byte(`"C"`)) && importsC(src) {
			return true
		}
	}
	return false
}
