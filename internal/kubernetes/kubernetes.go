// Package kubernetes makes a main module of the published k8s.io/kubernetes, whose other modules are published at versions
// of their own.
package kubernetes

import (
	"context"
	"fmt"
	"strings"

	"github.com/ctrllint/ctrllint/internal/mainmodule"
)

const (
	// Path is that of the module.
	Path = "k8s.io/kubernetes"
	// Version is the one that docs/cost.md is about.
	Version = "v1.36.3"
)

// Unpack copies the module of that version from the module proxy to dir, unless a module is there already. The folders
// below ./staging become the modules that are published from there. go.sum is left as it was: the first go command there
// needs -mod=mod.
func Unpack(ctx context.Context, version, dir string) error {
	v, err := published(version)
	if err != nil {
		return err
	}
	return mainmodule.Unpack(ctx, mainmodule.Module{Path: Path, Version: version, Published: v}, dir)
}

// published is the version of the modules below ./staging: v0.x.y goes with v1.x.y of Kubernetes. Any other version is an
// error.
func published(version string) (string, error) {
	rest, ok := strings.CutPrefix(version, "v1.")
	if !ok {
		return "", fmt.Errorf("%s is no version v1.x.y of Kubernetes", version)
	}
	return "v0." + rest, nil
}
