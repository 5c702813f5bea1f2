package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/copytree"
	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// A module is a copy of a main module, which can be edited.
type module struct {
	name    string
	path    string
	dir     string
	pattern string
	pkgs    []*pkg          // those of the module that pattern needs, each behind what it imports
	all     map[string]*pkg // with those of other modules and of the standard library, by import path
}

// A pkg is a package as the go command lists it.
type pkg struct {
	ImportPath, Name, Dir              string
	GoFiles, CgoFiles                  []string
	Imports, TestImports, XTestImports []string
	Module                             *struct {
		Path string
		Main bool
	}

	lines int // of the files that are built on this platform, without tests
}

// own tells whether p belongs to the main module.
func (p *pkg) own() bool { return p.Module != nil && p.Module.Main }

// readModule lists the packages of the module in dir, after its dependencies have been downloaded.
func readModule(ctx context.Context, name, dir, pattern string, env []string) (*module, error) {
	// A module with a folder vendor needs nothing else.
	if _, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt")); errors.Is(err, fs.ErrNotExist) {
		if _, err := gocommand.Run(ctx, dir, env, "mod", "download"); err != nil {
			return nil, err
		}
	}
	fields := "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,Imports,TestImports,XTestImports,Module"
	out, err := gocommand.Run(ctx, dir, env, "list", "-e", "-deps", fields, pattern)
	if err != nil {
		return nil, err
	}
	m := &module{name: name, dir: dir, pattern: pattern, all: map[string]*pkg{}}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		for _, name := range append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.CgoFiles...) {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			p.lines += bytes.Count(data, []byte("\n"))
		}
		m.all[p.ImportPath] = p
		if p.own() {
			m.path = p.Module.Path
			m.pkgs = append(m.pkgs, p)
		}
	}
	if len(m.pkgs) == 0 {
		return nil, fmt.Errorf("%s: %s names no package of a main module", name, pattern)
	}
	return m, nil
}

// compile fills the build cache that env names with all that an analysis of the module asks the go command for. What does
// not compile is left: the tools say so themselves.
func (m *module) compile(ctx context.Context, env []string) error {
	_, err := gocommand.Run(ctx, m.dir, env, "list", "-e", "-export", "-compiled", "-deps", "-test", m.pattern)
	return err
}

// copyTree copies the tree at from, without the folders that the go command passes over, such as .git.
func copyTree(from, to string) error {
	return copytree.Copy(from, to, func(_ string, d fs.DirEntry) bool { return d.IsDir() && strings.HasPrefix(d.Name(), ".") })
}
