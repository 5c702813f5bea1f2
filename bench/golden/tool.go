package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/doubted"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mainmodule"
	"github.com/ctrllint/ctrllint/internal/measure"
	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/report"
)

// platform is the one for which modules are analysed, whichever this one is. Without cgo, no compiler for C is needed.
var platform = []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}

// run makes a main module of m in a folder below temp, runs the binary over it, and removes the folder. An error says that
// there is no outcome.
func run(ctx context.Context, o options, temp string, m *Module) (g *Golden, took time.Duration, err error) {
	root := filepath.Join(temp, m.Name)
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	dir, err := unpack(ctx, o.mirrors, root, m)
	if err != nil {
		return nil, 0, err
	}
	if err := download(ctx, dir, m); err != nil {
		return nil, 0, err
	}
	args := append([]string{"-q", "-config=off", "-format=json", "-debug"}, doubted.Flags()...)
	args = append(args, m.Patterns...)
	cmd := exec.CommandContext(ctx, o.binary, args...)
	cmd.Dir, cmd.Env = dir, gocommand.Environment(append(platform, "CTRLLINT_CACHE=off")...)
	cost, out, err := measure.Run(cmd)
	if err != nil {
		return nil, 0, err
	}
	hide, err := places(ctx, root, dir)
	if err != nil {
		return nil, 0, err
	}
	g = newGolden(m)
	stderr := address.ReplaceAllString(hide.Replace(string(out.Stderr)), ": refused")
	if err := g.fill(cost.Exit, []byte(hide.Replace(string(out.Stdout))), stderr); err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out.Stderr)
	}
	return g, cost.Wall, nil
}

// unpack makes a main module of m in the folder root, and gives the folder of its go.mod.
func unpack(ctx context.Context, mirrors, root string, m *Module) (dir string, err error) {
	if m.Repo != "" {
		if mirrors == "" {
			return "", errors.New("it is in a mirror: want -mirrors")
		}
		_, err := mirror.Checkout(ctx, mirrors, m.Repo, m.Version, root)
		return filepath.Join(root, filepath.FromSlash(m.Folder)), err
	}
	published := mainmodule.Module{Path: m.Path, Version: m.Version, Published: m.Published}
	if err := mainmodule.Unpack(ctx, published, root); err != nil {
		return "", err
	}
	if m.Published == "" {
		return root, nil
	}
	return root, mainmodule.Complete(ctx, root, platform, m.Patterns...)
}

// download gets what the packages of m import, so that all machines analyse the same. What the module lacks by itself is
// left for ctrllint to say; what the proxy did not give is an error.
func download(ctx context.Context, dir string, m *Module) error {
	args := append([]string{"list", "-e", "-deps", "-f", "{{.ImportPath}}{{with .Error}}: {{.Err}}{{end}}"}, m.Patterns...)
	listed, err := gocommand.Run(ctx, dir, platform, args...)
	if err != nil {
		return err
	}
	if len(listed) == 0 {
		return fmt.Errorf("%s@%s: %s names no package", m.Path, m.Version, m.Patterns)
	}
	for line := range strings.Lines(string(listed)) {
		known := slices.ContainsFunc(m.Refused, func(module string) bool { return strings.Contains(line, " "+module+"@") })
		if refused.MatchString(line) && !known {
			return errors.New(strings.TrimSpace(line))
		}
	}
	return nil
}

// refused is what the go command says where it could not download a module: errors of a connection name the address.
var refused = regexp.MustCompile(`[a-z]://|: module lookup disabled|dial tcp|checksum mismatch`)

// address is how the go command ends what it says of a module that it was refused: with the proxy's address, and its answer.
var address = regexp.MustCompile(`: reading https?://.*(\n\s*server response:.*)?`)

// places replaces the folders of this machine by names that are the same on all. dir is the module's, at or below root.
func places(ctx context.Context, root, dir string) (*strings.Replacer, error) {
	out, err := gocommand.Run(ctx, dir, nil, "env", "-json", "GOMODCACHE", "GOROOT")
	if err != nil {
		return nil, err
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	slash := string(filepath.Separator)
	return strings.NewReplacer(dir+slash, "", root+slash, "$ROOT/", env["GOMODCACHE"]+slash, dependencies, env["GOROOT"]+slash, "$GOROOT/", dir, "."), nil
}

// fill reads what ctrllint printed. That it did not come to its end, or does not say the same in its exit code as in its
// findings and failures, is an error.
func (g *Golden) fill(exit int, stdout []byte, stderr string) error {
	for dec := json.NewDecoder(bytes.NewReader(stdout)); ; {
		var f report.Finding
		if err := dec.Decode(&f); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("the findings: %w", err)
		}
		for i := range f.Related { // in a dependency: the way there leads out of the module, and depends on where that is
			if _, name, ok := strings.Cut(f.Related[i].File, dependencies); ok {
				f.Related[i].File = dependencies + name
			}
		}
		if err := portable(f); err != nil {
			return err
		}
		g.Findings = append(g.Findings, newFinding(f))
	}
	if err := g.remarks(messages(stderr)); err != nil {
		return err
	}
	g.sort()
	g.Failures = slices.Compact(g.Failures)
	want := 0
	switch {
	case len(g.Failures) > 0:
		want = 2
	case len(g.Findings) > 0:
		want = 1
	}
	if exit != want {
		return fmt.Errorf("ctrllint: exit code %d, with %d findings and %d failures", exit, len(g.Findings), len(g.Failures))
	}
	return nil
}

// dependencies is what stands for the folder of the module cache.
const dependencies = "$GOMODCACHE/"

// remarks reads what ctrllint said on standard error. With -debug, notes come first, and then how many there were; that it
// did not say so, or how many packages it was given, is an error.
func (g *Golden) remarks(said []string) error {
	counted, notes := false, -1
	for _, s := range said {
		debug, ok := strings.CutPrefix(s, "debug: ")
		switch {
		case !ok && !strings.HasPrefix(s, "note: ") && !strings.HasPrefix(s, "warning: "):
			g.Failures = append(g.Failures, s)
		case !ok:
		case packagesLine.MatchString(debug):
			n, err := strconv.Atoi(packagesLine.FindStringSubmatch(debug)[1])
			if err != nil {
				return err
			}
			g.Packages, counted = g.Packages+n, true
		case notesLine.MatchString(debug):
			n, err := strconv.Atoi(notesLine.FindStringSubmatch(debug)[1])
			if err != nil {
				return err
			}
			notes = n
		case notes < 0:
			g.Notes = append(g.Notes, debug)
		}
	}
	if !counted || notes != len(g.Notes) {
		return fmt.Errorf("ctrllint did not say what it has analysed, or said %d notes and not %d", len(g.Notes), notes)
	}
	return nil
}

// What -debug prints, as far as it is kept.
var (
	packagesLine = regexp.MustCompile(`^packages: (\d+) of the modules under analysis`)
	notesLine    = regexp.MustCompile(`^(\d+) notes$`)
)

// messages are those that ctrllint has written to standard error. A line that does not begin with its name goes on with the
// message before.
func messages(stderr string) []string {
	var out []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		if said, ok := strings.CutPrefix(line, toolName+": "); ok {
			out = append(out, said)
		} else if len(out) > 0 {
			out[len(out)-1] += "\n" + line
		} else {
			out = append(out, line)
		}
	}
	return out
}

// portable is an error where a finding is in a file that has no name below the module.
func portable(f report.Finding) error {
	files := []string{f.File}
	for _, r := range f.Related {
		files = append(files, r.File)
	}
	for _, name := range files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("a finding in %s, which is not below the module", name)
		}
	}
	return nil
}
