// Package affected finds the packages that a change of some files can have an effect on: those that hold the files, and
// those of the same module that import them, directly or not; with a go.mod or go.sum, all of its module.
package affected

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/subprocess"
)

// A Module is one with affected packages.
type Module struct {
	Dir      string   // its root
	Packages []string // import paths, sorted
}

// Packages returns the affected packages of files, whose names are relative to dir, module by module, and those of
// files that are in no package of a module (in testdata, vendor, or a folder without Go files), which affect nothing.
// A file outside of any module and a module that go list cannot read are errors. Tags are build tags, separated by
// commas. The go command ends with ctx.
func Packages(ctx context.Context, dir string, files []string, tags string) (modules []Module, without []string, err error) {
	changed := map[string]map[string][]string{} // files, by module root and folder
	for _, f := range files {
		path := f
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, nil, err
		}
		folder := filepath.Dir(path)
		root, err := moduleRoot(folder)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f, err)
		}
		if changed[root] == nil {
			changed[root] = map[string][]string{}
		}
		if base := filepath.Base(path); folder == root && (base == "go.mod" || base == "go.sum") {
			folder = everywhere
		}
		changed[root][folder] = append(changed[root][folder], f)
	}
	for root, folders := range changed {
		pkgs, err := list(ctx, root, tags)
		if err != nil {
			return nil, nil, err
		}
		if names := importers(pkgs, folders); len(names) > 0 {
			modules = append(modules, Module{root, names})
		}
		for folder, files := range folders {
			if folder != everywhere && !slices.ContainsFunc(pkgs, func(p goPackage) bool { return p.Dir == folder }) {
				without = append(without, files...)
			}
		}
	}
	slices.SortFunc(modules, func(a, b Module) int { return cmp.Compare(a.Dir, b.Dir) })
	slices.Sort(without)
	return modules, without, nil
}

// everywhere stands for all folders of a module.
const everywhere = ""

// moduleRoot returns the nearest folder above folder, or folder itself, with a go.mod.
func moduleRoot(folder string) (string, error) {
	for at := folder; ; at = filepath.Dir(at) {
		_, err := os.Stat(filepath.Join(at, "go.mod"))
		if err == nil {
			return at, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if at == filepath.Dir(at) {
			return "", errors.New("no go.mod in its folder or above")
		}
	}
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath                         string
	Dir                                string
	Imports, TestImports, XTestImports []string
}

func list(ctx context.Context, root, tags string) ([]goPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-tags="+tags, "-json=ImportPath,Dir,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = root
	subprocess.EndWithChildren(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list in %s: %w: %s", root, err, strings.TrimSpace(stderr.String()))
	}
	var out []goPackage
	for dec := json.NewDecoder(&stdout); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
}

// importers returns the packages in the folders, and those that import them.
func importers(pkgs []goPackage, folders map[string][]string) []string {
	by := map[string][]string{}
	var queue []string
	for _, p := range pkgs {
		for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			by[i] = append(by[i], p.ImportPath)
		}
		if folders[p.Dir] != nil || folders[everywhere] != nil {
			queue = append(queue, p.ImportPath)
		}
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if !seen[p] {
			seen[p] = true
			queue = append(queue, by[p]...)
		}
	}
	out := make([]string, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}
