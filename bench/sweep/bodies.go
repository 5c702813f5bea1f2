package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/kubernetes"
)

// A body is code that is swept together.
type body struct {
	name        string
	needsFolder bool   // it is there already, or too large for a temporary folder
	judged      string // the file with what was made of findings there
	prepare     func(ctx context.Context, dir string) (place, error)
}

var bodies = []body{
	{name: "std", judged: "std.jsonl", prepare: standard("std")},
	{name: "tools", prepare: published("golang.org/x/tools", "v0.48.0")},
	{name: "etcd", prepare: published("go.etcd.io/etcd/server/v3", "v3.6.7")},
	{name: "prometheus", prepare: published("github.com/prometheus/prometheus", "v0.308.0")},
	// What it leaves out needs code that is generated before it is built.
	{name: "kruise", needsFolder: true, prepare: closure("github.com/openkruise/kruise/hack/gen-openapi-spec")},
	{name: "kubernetes", needsFolder: true, prepare: tree},
}

func names() []string {
	var out []string
	for _, b := range bodies {
		out = append(out, b.name)
	}
	return out
}

// choose are the bodies named in only, separated by commas; all where it is empty.
func choose(only string) ([]body, error) {
	if only == "" {
		return bodies, nil
	}
	var out []body
next:
	for name := range strings.SplitSeq(only, ",") {
		for _, b := range bodies {
			if b.name == name {
				out = append(out, b)
				continue next
			}
		}
		return nil, fmt.Errorf("there is no %q: want some of %s", name, strings.Join(names(), ", "))
	}
	return out, nil
}

// standard is packages of the standard library, built without cgo, so that the C headers of the machine do not matter.
func standard(patterns ...string) func(context.Context, string) (place, error) {
	return func(ctx context.Context, dir string) (place, error) {
		if err := module(dir); err != nil {
			return place{}, err
		}
		out, err := gocommand.Run(ctx, dir, nil, "env", "GOROOT")
		if err != nil {
			return place{}, err
		}
		base := filepath.Join(strings.TrimSpace(string(out)), "src")
		// What is reported must not hang on the machine.
		return place{dir: dir, base: base, patterns: patterns, env: []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64"}}, nil
	}
}

// published is all packages of a module of the module proxy, as one that requires it has them.
func published(path, version string) func(context.Context, string) (place, error) {
	return func(ctx context.Context, dir string) (place, error) {
		if err := module(dir); err != nil {
			return place{}, err
		}
		if _, err := gocommand.Run(ctx, dir, nil, "get", path+"/...@"+version); err != nil {
			return place{}, err
		}
		out, err := gocommand.Run(ctx, dir, nil, "list", "-m", "-f", "{{.Dir}}", path)
		if err != nil {
			return place{}, err
		}
		return place{dir: dir, base: strings.TrimSpace(string(out)), patterns: []string{path + "/..."}}, nil
	}
}

// closure is all that the packages of the module in dir import, and they themselves; broken are those that cannot be loaded.
func closure(broken ...string) func(context.Context, string) (place, error) {
	return func(ctx context.Context, dir string) (place, error) {
		out, err := gocommand.Run(ctx, dir, nil, "list", "-deps", "./...")
		if err != nil {
			return place{}, err
		}
		p := place{dir: dir, base: dir, patterns: strings.Fields(string(out)), broken: map[string]bool{}}
		for _, pkg := range broken {
			p.broken[pkg] = true
		}
		return p, nil
	}
}

// tree is all packages of Kubernetes, which is made a module in dir.
func tree(ctx context.Context, dir string) (place, error) {
	if err := kubernetes.Unpack(ctx, kubernetes.Version, dir); err != nil {
		return place{}, err
	}
	if _, err := gocommand.Run(ctx, dir, nil, "list", "-mod=mod", "-deps", "./..."); err != nil {
		return place{}, err
	}
	return place{dir: dir, base: dir, patterns: []string{"./..."}}, nil
}

// module makes dir a module.
func module(dir string) error {
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module sweep\n\ngo 1.26\n"), 0o644)
}
