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
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mainmodule"
	"github.com/ctrllint/ctrllint/internal/measure"
	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/report"
)

// A runner analyses code of others with one ctrllint binary.
type runner struct {
	tool    string // the binary
	mirrors string // the folder with a git directory owner+name/repo for each repository; may be empty
	temp    string
}

// A result is what ctrllint said of a module. Failures are what could not be analysed.
type result struct {
	found    []report.Finding
	packages int
	failures []string
}

// platform is the one for which modules are analysed, whichever this one is. Without cgo, no compiler for C is needed.
var platform = []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}

// target analyses t. An error says that there is no result.
func (r *runner) target(ctx context.Context, t *record.Target) (res *result, err error) {
	root := filepath.Join(r.temp, t.Name)
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	dir := root
	var lacking []string
	if t.List == record.Modules {
		err = unpack(ctx, t, root)
	} else {
		dir = filepath.Join(root, filepath.FromSlash(t.Folder))
		lacking, err = r.checkout(ctx, t.Source, t.At, root)
	}
	if err == nil && t.List != record.Fresh { // of those, some need modules that are gone, which ctrllint says
		err = download(ctx, dir, t)
	}
	if err != nil {
		return nil, err
	}
	if res, err = r.module(ctx, root, dir, t.Patterns); err == nil {
		res.failures = append(res.failures, lacking...)
	}
	return res, err
}

// checkout writes the files of a repository at a commit to dir. Lacking is what the mirror does not have of its Go files, in a sentence each.
func (r *runner) checkout(ctx context.Context, repo, commit, dir string) (lacking []string, err error) {
	if r.mirrors == "" {
		return nil, errNoMirrors
	}
	names, err := mirror.Checkout(ctx, r.mirrors, repo, commit, dir)
	for _, name := range names {
		if path.Ext(name) == ".go" && !isVendored(name) {
			lacking = append(lacking, "the mirror lacks "+name)
		}
	}
	return lacking, err
}

var errNoMirrors = errors.New("it is in a mirror: want -mirrors")

// unpack makes a main module of the published module t in the folder root.
func unpack(ctx context.Context, t *record.Target, root string) error {
	published := mainmodule.Module{Path: t.Source, Version: t.At, Published: t.Published}
	if err := mainmodule.Unpack(ctx, published, root); err != nil || t.Published == "" {
		return err
	}
	return mainmodule.Complete(ctx, root, platform, t.Patterns...)
}

// download gets what the packages of t import, so that all machines analyse the same. What the module lacks by itself is
// left for ctrllint to say; what the proxy did not give is an error.
func download(ctx context.Context, dir string, t *record.Target) error {
	args := append([]string{"list", "-e", "-deps", "-f", "{{.ImportPath}}{{with .Error}}: {{.Err}}{{end}}"}, t.Patterns...)
	listed, err := gocommand.Run(ctx, dir, platform, args...)
	if err != nil {
		return err
	}
	if len(listed) == 0 {
		return fmt.Errorf("%s@%s: %s names no package", t.Source, t.At, t.Patterns)
	}
	for line := range strings.Lines(string(listed)) {
		known := slices.ContainsFunc(t.Refused, func(module string) bool { return strings.Contains(line, " "+module+"@") })
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

// module analyses the packages of the module in the folder dir, at or below root, with the nursery, and
// without what earlier runs have kept.
func (r *runner) module(ctx context.Context, root, dir string, patterns []string) (*result, error) {
	args := []string{"-q", "-config=off", "-format=json", "-debug", "-nursery"}
	cmd := exec.CommandContext(ctx, r.tool, append(args, patterns...)...)
	cmd.Dir, cmd.Env = dir, gocommand.Environment(append(platform, "CTRLLINT_CACHE=off")...)
	cost, out, err := measure.Run(cmd)
	if err != nil {
		return nil, err
	}
	hide, err := places(ctx, root, dir)
	if err != nil {
		return nil, err
	}
	res := new(result)
	stderr := address.ReplaceAllString(hide.Replace(string(out.Stderr)), ": refused")
	if err := res.read(cost.Exit, []byte(hide.Replace(string(out.Stdout))), stderr); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out.Stderr)
	}
	return res, nil
}

// places replaces the folders of this machine by names that are the same on all.
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
	return strings.NewReplacer(dir+slash, "", root+slash, "$ROOT/", env["GOMODCACHE"]+slash, "$GOMODCACHE/", env["GOROOT"]+slash, "$GOROOT/", dir, "."), nil
}

// read reads what ctrllint printed. That it did not come to its end, or does not say the same in its exit code as in its
// findings and failures, is an error.
func (res *result) read(exit int, stdout []byte, stderr string) error {
	var err error
	if res.found, err = findings(stdout); err != nil {
		return err
	}
	for _, f := range res.found {
		if !filepath.IsLocal(filepath.FromSlash(f.File)) {
			return fmt.Errorf("a finding in %s, which is not below the module", f.File)
		}
	}
	counted := false
	for _, s := range messages(stderr) {
		debug, ok := strings.CutPrefix(s, "debug: ")
		if m := packagesLine.FindStringSubmatch(debug); ok && m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return err
			}
			res.packages, counted = res.packages+n, true
		} else if !ok && !strings.HasPrefix(s, "note: ") && !strings.HasPrefix(s, "warning: ") {
			res.failures = append(res.failures, s)
		}
	}
	slices.Sort(res.failures)
	res.failures = slices.Compact(res.failures)
	want := 0
	switch {
	case len(res.failures) > 0:
		want = 2
	case len(res.found) > 0:
		want = 1
	}
	switch {
	case exit != want:
		return fmt.Errorf("ctrllint: exit code %d, with %d findings and %d failures", exit, len(res.found), len(res.failures))
	case !counted:
		return errors.New("ctrllint did not say what it has analysed")
	}
	return nil
}

// packagesLine is what -debug prints of what was analysed.
var packagesLine = regexp.MustCompile(`^packages: (\d+) of the modules under analysis`)

// findings are those that ctrllint printed as JSON.
func findings(stdout []byte) (found []report.Finding, err error) {
	for dec := json.NewDecoder(bytes.NewReader(stdout)); ; {
		var f report.Finding
		switch err := dec.Decode(&f); {
		case err == io.EOF:
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("the findings: %w", err)
		}
		found = append(found, f)
	}
}

// messages are those that ctrllint has written to standard error. A line that does not begin with its name goes on with the
// message before.
func messages(stderr string) []string {
	var out []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		if said, ok := strings.CutPrefix(line, "ctrllint: "); ok {
			out = append(out, said)
		} else if len(out) > 0 {
			out[len(out)-1] += "\n" + line
		} else {
			out = append(out, line)
		}
	}
	return out
}
