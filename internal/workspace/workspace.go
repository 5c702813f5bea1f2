// Package workspace makes patterns such as ./... mean what people expect in a tree of several modules. The go command
// stops at every go.mod: at the root of a workspace, ./... is the root's own module, or an error where there is none.
package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/subprocess"
)

// Expanded is what patterns stand for.
type Expanded struct {
	Groups [][]string // for each pattern, those that the go command takes
	Left   []string   // folders of modules below the patterns that none of them reaches or names, relative, with slashes
}

// Patterns returns the patterns of all groups.
func (x *Expanded) Patterns() []string { return slices.Concat(x.Groups...) }

// Expand extends patterns of the form DIR/... to the modules below DIR that the workspace (go.work) of dir, an absolute
// path, uses. Other patterns stay as they are. Env is the environment of the go command, which ends with ctx.
func Expand(ctx context.Context, dir string, env, patterns []string) (*Expanded, error) {
	x := &Expanded{}
	if !slices.ContainsFunc(patterns, func(p string) bool { _, ok := tree(p); return ok }) {
		for _, p := range patterns {
			x.Groups = append(x.Groups, []string{p})
		}
		return x, nil
	}
	used, err := usedModules(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	reached := make(map[string]bool)
	below := make(map[string]bool)
	for _, p := range patterns {
		base, ok := tree(p)
		if !ok {
			x.Groups = append(x.Groups, []string{p})
			continue
		}
		root := base
		if !filepath.IsAbs(root) {
			root = filepath.Join(dir, root)
		}
		var group []string
		if len(used) == 0 || slices.ContainsFunc(used, func(u string) bool { return contains(u, root) }) {
			group = append(group, p)
			reached[ModuleOf(root)] = true
		}
		for _, u := range used {
			if u != root && contains(root, u) {
				group = append(group, pattern(dir, u))
				reached[u] = true
			}
		}
		if group == nil { // the go command says why
			group = append(group, p)
			reached[ModuleOf(root)] = true
		}
		x.Groups = append(x.Groups, group)
		for _, m := range modulesBelow(root) {
			below[m] = true
		}
	}
	for m := range below {
		if !reached[m] {
			x.Left = append(x.Left, relative(dir, m))
		}
	}
	slices.Sort(x.Left)
	return x, nil
}

// tree returns the folder whose packages, with all that are below, the pattern p names.
func tree(p string) (string, bool) {
	p = filepath.ToSlash(p)
	base, ok := strings.CutSuffix(p, "/...")
	if !ok || strings.Contains(base, "...") {
		return "", false
	}
	local := base == "." || base == ".." || strings.HasPrefix(base, "./") || strings.HasPrefix(base, "../") || filepath.IsAbs(filepath.FromSlash(base))
	return filepath.FromSlash(base), local
}

// usedModules returns the folders of the modules that the workspace of dir uses; none if there is no workspace.
func usedModules(ctx context.Context, dir string, env []string) ([]string, error) {
	out, err := goCommand(ctx, dir, env, "env", "GOWORK")
	if err != nil {
		return nil, err
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == "off" {
		return nil, nil
	}
	if out, err = goCommand(ctx, dir, env, "work", "edit", "-json", file); err != nil {
		return nil, err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var used []string
	for _, u := range work.Use {
		path := filepath.FromSlash(u.DiskPath)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		used = append(used, filepath.Clean(path))
	}
	slices.Sort(used)
	return slices.Compact(used), nil
}

func goCommand(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clip(env), "PWD="+dir) // so that the paths that it prints begin as dir does
	subprocess.EndWithChildren(cmd)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimPrefix(strings.TrimSpace(string(exit.Stderr)), "go: "))
	}
	return out, err
}

// contains reports whether path is the folder dir or lies below it.
func contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// pattern names all packages below the folder path.
func pattern(dir, path string) string {
	rel := relative(dir, path)
	if !strings.HasPrefix(rel, "../") && rel != ".." && !filepath.IsAbs(rel) {
		rel = "./" + rel
	}
	return rel + "/..."
}

func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

// ModuleOf returns the folder of the module that has path, empty if there is none.
func ModuleOf(path string) string {
	for {
		if isModule(path) {
			return path
		}
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
}

func isModule(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && !info.IsDir()
}

// modulesBelow returns the folders of modules in root and below it, but for those that the go command does not look
// into either, and for what other tools have downloaded.
func modulesBelow(root string) []string {
	var found []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read is left out, as the go command does
		}
		name := d.Name()
		if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || name == "node_modules") {
			return filepath.SkipDir
		}
		if isModule(path) {
			found = append(found, path)
		}
		return nil
	})
	return found
}
