// Package kubernetes makes a main module of the published k8s.io/kubernetes, since ctrllint looks at the packages of the
// main module only.
package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/bench/internal/gocommand"
)

const (
	// Path is that of the module.
	Path = "k8s.io/kubernetes"
	// Version is the one that docs/cost.md is about.
	Version = "v1.36.3"
)

// Unpack copies the module of that version from the module proxy to dir, unless a module is there already. Replacements
// by the folders below ./staging, which a published module lacks, become requirements of the modules that are published
// from there. go.sum is left as it was: the first go command there needs -mod=mod.
func Unpack(ctx context.Context, version, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	out, err := gocommand.Run(ctx, "", nil, "mod", "download", "-json", Path+"@"+version)
	if err != nil {
		return err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	out, err = gocommand.Run(ctx, module.Dir, nil, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	edits, err := published(out, version)
	if err != nil {
		return err
	}
	mod, err := gocommand.Run(ctx, module.Dir, nil, append([]string{"mod", "edit", "-print"}, edits...)...)
	if err != nil {
		return err
	}
	if err := copyModule(module.Dir, dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
}

// copyModule copies what is below from to a folder that can be written to. It leaves out the workspace and the folder
// vendor, which are about modules that are not there, and go.mod, which comes last and says that all the rest did.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case rel == "vendor":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case rel == "go.mod", rel == "go.work", rel == "go.work.sum":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// published are the edits of a go.mod, given as `go mod edit -json` prints it, that replace each folder below ./staging
// by the module of that name: with v1.x.y of Kubernetes goes v0.x.y of its modules.
func published(modJSON []byte, version string) ([]string, error) {
	rest, ok := strings.CutPrefix(version, "v1.")
	if !ok {
		return nil, fmt.Errorf("%s is no version v1.x.y of Kubernetes", version)
	}
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal(modJSON, &mod); err != nil {
		return nil, err
	}
	var edits []string
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, "./staging/") {
			edits = append(edits, fmt.Sprintf("-replace=%s=%s@v0.%s", r.Old.Path, r.Old.Path, rest))
		}
	}
	return edits, nil
}
