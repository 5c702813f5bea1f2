package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/copytree"
	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// A module is a copy of a main module.
type module struct{ name, dir string }

// download fetches what the module depends on, and gives the number of its packages.
func (m *module) download(ctx context.Context, env []string) (int, error) {
	// A module with a folder vendor needs nothing else.
	if _, err := os.Stat(filepath.Join(m.dir, "vendor", "modules.txt")); errors.Is(err, fs.ErrNotExist) {
		if _, err := gocommand.Run(ctx, m.dir, env, "mod", "download"); err != nil {
			return 0, err
		}
	}
	out, err := gocommand.Run(ctx, m.dir, env, "list", "-e", "./...")
	if err != nil {
		return 0, err
	}
	n := bytes.Count(out, []byte("\n"))
	if n == 0 {
		return 0, fmt.Errorf("%s: there are no packages", m.name)
	}
	return n, nil
}

// compile fills the build cache that env names with all that an analysis of the module asks the go command for. What does
// not compile is left: the tools say so themselves.
func (m *module) compile(ctx context.Context, env []string) error {
	_, err := gocommand.Run(ctx, m.dir, env, "list", "-e", "-export", "-compiled", "-deps", "-test", "./...")
	return err
}

// copyTree copies the tree at from, without the folders that the go command passes over, such as .git.
func copyTree(from, to string) error {
	return copytree.Copy(from, to, func(_ string, d fs.DirEntry) bool { return d.IsDir() && strings.HasPrefix(d.Name(), ".") })
}
