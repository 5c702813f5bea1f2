// Package mainmodule makes main modules of published ones, since ctrllint looks at the packages of the main module
// only.
package mainmodule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/copytree"
	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// A Module is one of the module proxy.
type Module struct {
	Path    string
	Version string

	// Published is the version of the modules that go.mod replaces by folders of the repository. A published module lacks
	// these folders. Empty stands for none: then what imports these modules cannot be loaded.
	Published string
}

// madeName is the name of the file that says which module Unpack made a folder of.
const madeName = ".mainmodule"

// Unpack copies m from the module proxy to dir, unless it did so before. That something else is there is an error.
// Replacements by folders become requirements of published modules, or are dropped. go.sum is left as it was: see
// [Complete].
func Unpack(ctx context.Context, m Module, dir string) error {
	what := fmt.Sprintf("%s@%s with %q in place of folders\n", m.Path, m.Version, m.Published)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		made, err := os.ReadFile(filepath.Join(dir, madeName))
		if err == nil && string(made) != what {
			err = fmt.Errorf("it is %s", made)
		}
		if err != nil {
			return fmt.Errorf("%s is there and not known to be %s@%s: %w", dir, m.Path, m.Version, err)
		}
		return nil
	}
	out, err := gocommand.Run(ctx, "", nil, "mod", "download", "-json", m.Path+"@"+m.Version)
	if err != nil {
		return errors.Join(err, reason(out))
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return err
	}
	out, err = gocommand.Run(ctx, got.Dir, nil, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	edits, err := edits(out, m.Published)
	if err != nil {
		return err
	}
	mod, err := gocommand.Run(ctx, got.Dir, nil, append([]string{"mod", "edit", "-print"}, edits...)...)
	if err != nil {
		return err
	}
	if err := copytree.Copy(got.Dir, dir, skip); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, madeName), []byte(what), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
}

// reason returns what `go mod download -json` says of its failure, on standard output.
func reason(out []byte) error {
	var failed struct{ Error string }
	if json.Unmarshal(out, &failed) != nil || failed.Error == "" {
		return nil
	}
	return errors.New(failed.Error)
}

// skip leaves out the workspace and the folder vendor, which are about modules that are not there, and go.mod, which
// comes last and says that all the rest did.
func skip(rel string, _ fs.DirEntry) bool {
	switch rel {
	case "vendor", "go.mod", "go.work", "go.work.sum":
		return true
	}
	return false
}

// edits returns those of a go.mod, given as `go mod edit -json` prints it, that take out each replacement by a
// folder: by the module of that name at the version published, or, where that is empty, by nothing. A requirement of
// a version that only the replacement makes good goes with it, since no module could be loaded with it.
func edits(modJSON []byte, published string) ([]string, error) {
	type version struct{ Path, Version string }
	var mod struct {
		Require []version
		Replace []struct{ Old, New version }
	}
	if err := json.Unmarshal(modJSON, &mod); err != nil {
		return nil, err
	}
	required := make(map[string]string)
	for _, r := range mod.Require {
		required[r.Path] = r.Version
	}
	var out []string
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue // by a module
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if published != "" {
			out = append(out, fmt.Sprintf("-replace=%s=%s@%s", old, r.Old.Path, published))
			continue
		}
		out = append(out, "-dropreplace="+old)
		if v := required[r.Old.Path]; v == "v0.0.0" || strings.HasPrefix(v, "v0.0.0-00010101000000-") {
			out = append(out, "-droprequire="+r.Old.Path)
		}
	}
	return out, nil
}

// Complete adds to go.sum in dir what the published modules in place of folders need for the packages that patterns
// name. env is for the go command, as in [gocommand.Run].
func Complete(ctx context.Context, dir string, env []string, patterns ...string) error {
	_, err := gocommand.Run(ctx, dir, env, append([]string{"list", "-mod=mod", "-e", "-deps"}, patterns...)...)
	return err
}
