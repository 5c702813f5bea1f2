// Package programs runs ctrllint on programs that were written by hand, from the rules' pages alone, and compares the verdicts
// with recorded ones.
//
// Each folder of Options.Dir with a go.mod is a module. bad/NAME or bug/NAME in it is a program with a bug, good/NAME one without
// that looks like it. A comment of a program with a bug names the rules that ought to find it and the claim: yes where a
// page promises it, near and doc for the same bug in a shape that none does, off for what is off by default. The file of the
// verdicts has one line for each:
//
//	module/kind/name	rules	claim	verdict	categories	digest
//
// The digest is that of the program's files, for which the verdict holds. The verdict is found or missed, and for good programs quiet, possible (a false finding) or certain (a false one that is
// marked so).
package programs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Options are what Run does.
type Options struct {
	Tool     string // the ctrllint binary
	Dir      string // the folder of the modules
	Verdicts string // the file of the verdicts; verdicts.tsv in Dir if empty
	Update   bool   // write the verdicts
	Neutral  bool   // replace all names that the programs declare by ones that say nothing, and compare the verdicts alone
}

// file returns that of the verdicts.
func (o Options) file() string {
	if o.Verdicts != "" {
		return o.Verdicts
	}
	return filepath.Join(o.Dir, "verdicts.tsv")
}

// Run runs the tool on the programs, and prints how many have which verdict, and those that have another one than
// before. The exit code is 1 if there are such, and 2 after an error.
func Run(ctx context.Context, w io.Writer, o Options) (exit int, err error) {
	recorded, err := recorded(o)
	if err != nil {
		return 2, err
	}
	now, err := judged(ctx, w, o)
	if err != nil {
		return 2, err
	}
	sums(w, now)
	if o.Update && !o.Neutral {
		if err := os.WriteFile(o.file(), []byte(text(now)), 0o644); err != nil {
			return 2, err
		}
		return 0, nil
	}
	if n := compare(w, recorded, now); n > 0 {
		fmt.Fprintf(w, "%d verdicts differ from %s\n", n, o.file())
		return 1, nil
	}
	return 0, nil
}

// recorded returns the programs with the verdicts of before; without the digests for programs under neutral names.
func recorded(o Options) ([]program, error) {
	data, err := os.ReadFile(o.file())
	if err != nil && (!o.Update || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	ps := parse(string(data))
	if o.Neutral {
		ps = undigested(ps)
	}
	return ps, nil
}

// judged returns the programs with the verdicts of now.
func judged(ctx context.Context, w io.Writer, o Options) (ps []program, err error) {
	if !o.Neutral {
		return judge(ctx, o.Tool, o.Dir)
	}
	temp, err := os.MkdirTemp("", "neutral")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := neutralCopy(w, o.Dir, temp); err != nil {
		return nil, err
	}
	ps, err = judge(ctx, o.Tool, temp)
	return undigested(ps), err
}

// undigested are programs with their verdicts alone.
func undigested(ps []program) []program {
	for i := range ps {
		ps[i].Digest = "-"
	}
	return ps
}

// A program is a program with its verdict.
type program struct {
	Name       string // module/kind/name
	Rules      string // that ought to find its bug, with | between them; - for any, or for none
	Claim      string
	Verdict    string
	Categories string // of its findings, with commas between them, each once; - for none
	Digest     string // of its files
}

func (p program) line() string {
	return strings.Join([]string{p.Name, p.Rules, p.Claim, p.Verdict, p.Categories, p.Digest}, "\t")
}

func text(ps []program) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.line() + "\n")
	}
	return b.String()
}

func parse(s string) []program {
	var out []program
	for line := range strings.Lines(s) {
		if c := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(c) == 6 {
			out = append(out, program{c[0], c[1], c[2], c[3], c[4], c[5]})
		}
	}
	return out
}

// finding is what of ctrllint's JSON matters here.
type finding struct {
	Rule, Category, File, Confidence string
}

// judge runs tool on the modules of dir, and returns their programs by name. An error says that there are none, or
// that tool failed.
func judge(ctx context.Context, tool, dir string) ([]program, error) {
	tool, err := filepath.Abs(tool)
	if err != nil {
		return nil, err
	}
	modules, err := filepath.Glob(filepath.Join(dir, "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	var out []program
	for _, m := range modules {
		found, err := analyse(ctx, tool, filepath.Dir(m))
		if err != nil {
			return nil, err
		}
		for _, kind := range []string{"bad", "bug", "good"} {
			folders, err := filepath.Glob(filepath.Join(filepath.Dir(m), kind, "*"))
			if err != nil {
				return nil, err
			}
			for _, f := range folders {
				name := kind + "/" + filepath.Base(f)
				p := program{Name: filepath.Base(filepath.Dir(m)) + "/" + name, Rules: "-", Claim: "-"}
				if kind != "good" {
					if p.Rules, p.Claim, err = heading(f); err != nil {
						return nil, err
					}
				}
				if p.Digest, err = digest(f); err != nil {
					return nil, err
				}
				p.decide(kind, found[name])
				delete(found, name)
				out = append(out, p)
			}
		}
		for name, fs := range found {
			return nil, fmt.Errorf("%s: a finding in %s, which is no program: %v", m, name, fs[0])
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no module with programs below %s", dir)
	}
	slices.SortFunc(out, func(a, b program) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// analyse returns the findings in a module by kind and name of the program.
func analyse(ctx context.Context, tool, module string) (map[string][]finding, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, "-config=off", "-format=json", "-nursery", "./...")
	cmd.Dir, cmd.Stdout, cmd.Stderr = module, &stdout, &stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false", "CTRLLINT_CACHE=off")
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("%s: %w\n%s", module, err, stderr.String())
	}
	out := map[string][]finding{}
	for line := range strings.Lines(stdout.String()) {
		var f finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		name := filepath.ToSlash(f.File)
		if parts := strings.Split(name, "/"); len(parts) > 2 {
			name = parts[0] + "/" + parts[1]
		}
		out[name] = append(out[name], f)
	}
	return out, nil
}

// digest returns that of the names and texts of the files in folder.
func digest(folder string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", filepath.ToSlash(rel), len(src), src)
		return err
	})
	return fmt.Sprintf("%.6x", sum.Sum(nil)), err
}

var (
	short = regexp.MustCompile(`(?m)^// A (\w+)/\S+:`)
	long  = regexp.MustCompile(`(?m)^//adv:\s*rule=(\S+) .*claim=(\S+)`)
)

// heading reads the rules and the claim of the program in folder.
func heading(folder string) (rules, claim string, err error) {
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || rules != "" || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if m := short.FindSubmatch(src); m != nil {
			rules, claim = string(m[1]), "yes"
		} else if m := long.FindSubmatch(src); m != nil {
			rules, claim = string(m[1]), string(m[2])
		}
		return err
	})
	if err == nil && rules == "" {
		err = fmt.Errorf("%s: no comment says which rule it is for", folder)
	}
	return rules, claim, err
}

// decide fills in the verdict.
func (p *program) decide(kind string, found []finding) {
	categories := map[string]bool{}
	hit, certain := false, false
	for _, f := range found {
		categories[f.Category] = true
		certain = certain || f.Confidence == "certain"
		hit = hit || p.Rules == "-" || slices.Contains(strings.Split(p.Rules, "|"), f.Rule)
	}
	switch {
	case kind != "good" && hit:
		p.Verdict = "found"
	case kind != "good":
		p.Verdict = "missed"
	case certain:
		p.Verdict = "certain"
	case len(found) > 0:
		p.Verdict = "possible"
	default:
		p.Verdict = "quiet"
	}
	p.Categories = "-"
	if len(categories) > 0 {
		p.Categories = strings.Join(slices.Sorted(maps.Keys(categories)), ",")
	}
}

// sums prints how many programs of each kind have which verdict.
func sums(w io.Writer, ps []program) {
	count := map[string]int{}
	for _, p := range ps {
		module, rest, _ := strings.Cut(p.Name, "/")
		kind, _, _ := strings.Cut(rest, "/")
		count[fmt.Sprintf("%s, %s, claim %s: %s", module, kind, p.Claim, p.Verdict)]++
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(w, "%4d %s\n", count[k], k)
	}
}

// compare prints what differs, and returns the number of programs that do.
func compare(w io.Writer, before, now []program) int {
	old, differ := map[string]program{}, 0
	for _, p := range before {
		old[p.Name] = p
	}
	for _, p := range now {
		o, ok := old[p.Name]
		delete(old, p.Name)
		if ok && o == p {
			continue
		}
		differ++
		if ok {
			fmt.Fprintf(w, "- %s\n", o.line())
		}
		fmt.Fprintf(w, "+ %s\n", p.line())
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		differ++
		fmt.Fprintf(w, "- %s\n", old[name].line())
	}
	return differ
}
