// Command bench measures what ctrllint costs on modules, next to other tools, and prints the tables of docs/cost.md.
//
//	bench [flags] -module NAME=DIR ...
//
// A row of the table is work in a certain state: what the go command's build cache and the tool's own cache hold when
// the clock starts, and what was edited since the last run. A round runs ctrllint and then the others, one after the
// other; ratios are those of runs of the same round, and medians over the rounds are printed. What a run costs is
//
//   - CPU: user and system time, of the tool and of all processes that it starts, such as the go command and compilers;
//   - wall: the time on the clock, which says little on a machine with other work;
//   - peak: the resident memory of the largest single process, the highest of all rounds.
//
// Nothing is written to DIR: the module is copied to a temporary folder, with its dependencies downloaded before the
// first run. All caches are folders of the bench, too. An edit adds a statement that no cache has seen, and the tools
// compile it in their own time, where they need it compiled, unless -precompile has it done before.
//
// A tool has to find the same in all rows of a module. Where it does not, the bench says so and fails. It does not fail
// where a bar is missed: that stands in the table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/kubernetes"
)

const usage = `bench measures what ctrllint costs on modules, next to other tools, and prints a table in Markdown.

	bench [flags] -module NAME=DIR ...

Rows:
	nobuild    the go command's build cache is empty, as is the tool's own; next to staticcheck and golangci-lint.
	           Whoever needs compiled packages compiles all of them in each run: minutes each, on a large module
	cold       the build cache is full, the tool's own is empty; next to staticcheck
	warm       nothing has changed since the last run; next to staticcheck
	leaf       a package has been edited that at most two others import; next to staticcheck
	hub        a package has been edited that half of the others import; next to staticcheck
	vet        go vet -vettool=ctrllint, with a full build cache but no results of vet; next to a tool with no analyzer
	golangci   golangci-lint with ctrllint as a plugin, its own cache empty; next to the same binary without
	linear     the first 50, 100, ... packages of the module; next to a straight line

Flags:
`

// options are the flags.
type options struct {
	modules    []source
	rows       string
	runs       int
	sizes      string
	noTests    bool
	precompile bool
	buildCache string
	k8s        string
	k8sVersion string
}

// A source is where a module comes from.
type source struct{ name, dir, pattern string }

func main() {
	var o options
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Func("module", "measure the module in DIR, and call it NAME, as in `NAME=DIR`; can be given more than once", o.addModule)
	flag.StringVar(&o.k8s, "kubernetes", "", "measure ./pkg/... of "+kubernetes.Path+", as the module "+k8sName+"; it is made from the module proxy\nin this `folder`, unless it is there")
	flag.StringVar(&o.k8sVersion, "kubernetes-version", kubernetes.Version, "the `version` of "+kubernetes.Path)
	flag.StringVar(&o.rows, "rows", "table", "a `list` of rows, separated by commas; NAME:ROW is a row of that module only, ROW one of all modules;\nall stands for all rows, table for those that docs/cost.md has: all of the first module, nobuild, cold and\nwarm of others, cold and linear of kubernetes")
	flag.IntVar(&o.runs, "runs", 3, "the `number` of rounds, of which the medians are printed")
	flag.StringVar(&o.sizes, "sizes", "50,100,200,400", "the `numbers` of packages for the row linear; the whole module comes last, if it is smaller")
	flag.BoolVar(&o.noTests, "no-tests", false, "have staticcheck and golangci-lint leave out tests, as ctrllint does")
	flag.BoolVar(&o.precompile, "precompile", false, "compile edits before the clock starts")
	flag.StringVar(&o.buildCache, "gocache", "", "the `folder` of the build cache that is full; it is filled, used and kept. The default is a\ntemporary one, which takes minutes to fill for a large module")
	flag.StringVar(&ctrllintBinary.path, "ctrllint", "", "the ctrllint `binary`; built if empty")
	flag.StringVar(&staticcheckBinary.path, "staticcheck", "", "the staticcheck `binary`; built if empty")
	flag.StringVar(&golangciBinary.path, "golangci-lint", "golangci-lint", "the golangci-lint v2 `binary`")
	flag.StringVar(&pluginBinary.path, "golangci-plugin", "", "the `binary` of golangci-lint with ctrllint in it; built if empty")
	flag.Parse()
	if flag.NArg() != 0 || o.runs < 1 || len(o.modules) == 0 && o.k8s == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// addModule reads a flag -module.
func (o *options) addModule(value string) error {
	name, dir, ok := strings.Cut(value, "=")
	if !ok || name == "" || dir == "" || strings.ContainsAny(name, "/:, ") {
		return errors.New("want NAME=DIR, NAME without any of /:, and blanks")
	}
	if name == k8sName || slices.ContainsFunc(o.modules, func(s source) bool { return s.name == name }) {
		return fmt.Errorf("%s is another module already", name)
	}
	o.modules = append(o.modules, source{name, dir, "./..."})
	return nil
}

func bench(ctx context.Context, o options) (err error) {
	if o.k8s != "" {
		o.modules = append(o.modules, source{k8sName, o.k8s, "./pkg/..."})
	}
	var names []string
	for _, s := range o.modules {
		names = append(names, s.name)
	}
	steps, err := plan(o.rows, names)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	l := &lab{
		temp: temp, buildCache: o.buildCache, runs: o.runs, tests: !o.noTests, precompile: o.precompile,
		log: os.Stderr, start: time.Now(), found: map[string]string{},
	}
	if l.buildCache == "" {
		l.buildCache = filepath.Join(temp, "gocache")
	}
	if l.buildCache, err = filepath.Abs(l.buildCache); err != nil {
		return err
	}
	for name, text := range configs {
		if err := os.WriteFile(filepath.Join(temp, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := prepareTools(ctx, temp, steps); err != nil {
		return err
	}

	lines := []string{tableHead}
	for _, s := range o.modules {
		var mine []string
		for _, step := range steps {
			if step.module == s.name {
				mine = append(mine, step.row)
			}
		}
		if len(mine) == 0 {
			continue
		}
		done, err := l.module(ctx, s, o, mine)
		lines = append(lines, done...)
		if err != nil {
			// What took hours is printed even where the rest fails.
			if len(lines) > 1 {
				fmt.Println(strings.Join(lines, "\n"))
			}
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	fmt.Println()
	if err := caption(ctx, l, steps); err != nil {
		return err
	}
	fmt.Printf("\n%s\n", strings.Join(lines, "\n"))
	if len(l.differs) > 0 {
		return errors.New("a tool did not find the same in all states:\n" + strings.Join(l.differs, "\n"))
	}
	return nil
}

// tools are those that the steps need.
func tools(steps []step) []*tool {
	var out []*tool
	for _, s := range steps {
		used := []*tool{ctrllint}
		if i := slices.IndexFunc(rows, func(r row) bool { return r.name == s.row }); i >= 0 {
			used = rows[i].tools
		}
		for _, t := range used {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// prepareTools finds or builds the binaries that the steps need.
func prepareTools(ctx context.Context, temp string, steps []step) error {
	root, err := gocommand.Run(ctx, "", nil, "list", "-m", "-f", "{{.Dir}}", "github.com/ctrllint/ctrllint")
	if err != nil {
		return err
	}
	seen := map[*binary]bool{}
	for _, t := range tools(steps) {
		if seen[t.binary] {
			continue
		}
		seen[t.binary] = true
		if err := t.binary.find(ctx, strings.TrimSpace(string(root)), temp); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// module measures rows on one module, and gives lines of the table, even with an error.
func (l *lab) module(ctx context.Context, s source, o options, names []string) ([]string, error) {
	env := []string{"GOCACHE=" + l.buildCache}
	if s.name == k8sName {
		if err := kubernetes.Unpack(ctx, o.k8sVersion, s.dir); err != nil {
			return nil, err
		}
		// This completes go.sum for the modules in place of the staging folders.
		if _, err := gocommand.Run(ctx, s.dir, env, "list", "-mod=mod", "-e", "-deps", "-test", s.pattern); err != nil {
			return nil, err
		}
	}
	dir := filepath.Join(l.temp, "modules", s.name)
	if err := copyTree(s.dir, dir); err != nil {
		return nil, err
	}
	m, err := readModule(ctx, s.name, dir, s.pattern, env)
	if err != nil {
		return nil, err
	}
	own, others := m.lines(m.pkgs)
	fmt.Fprintf(l.log, "%s: %d packages, %d lines, and %d of other modules and the standard library\n", s.name, len(m.pkgs), own, others)

	var lines []string
	full := false
	for _, name := range names {
		if name == linearRow {
			n, err := sizes(o.sizes, len(m.pkgs))
			if err != nil {
				return lines, err
			}
			line, err := l.linear(ctx, os.Stdout, m, n)
			if err != nil {
				return lines, err
			}
			lines = append(lines, line)
			continue
		}
		r := rows[slices.IndexFunc(rows, func(r row) bool { return r.name == name })]
		if !r.buildEmpty && !full {
			fmt.Fprintf(l.log, "%s: compiling\n", s.name)
			if err := m.compile(ctx, env); err != nil {
				return lines, err
			}
			full = true
		}
		costs, work, err := l.measure(ctx, m, r)
		if err != nil {
			return lines, err
		}
		for _, b := range r.barsOn(m.name) {
			lines = append(lines, b.line(work, costs[r.tools[0]], costs[b.against]))
			fmt.Fprintln(l.log, lines[len(lines)-1])
		}
	}
	return lines, nil
}

// caption prints what was measured, and how.
func caption(ctx context.Context, l *lab, steps []step) error {
	versions, err := exec.CommandContext(ctx, "go", "version").Output()
	if err != nil {
		return err
	}
	said := []string{strings.TrimSpace(string(versions))}
	used := tools(steps)
	for _, t := range []*tool{staticcheck, golangci} {
		if slices.Contains(used, t) {
			v, err := t.binary.version(ctx)
			if err != nil {
				return err
			}
			said = append(said, t.name+" "+strings.TrimPrefix(v, "staticcheck "))
		}
	}
	tests, edits := "with tests, by default", "not compiled"
	if !l.tests {
		tests = "without tests"
	}
	if l.precompile {
		edits = "compiled"
	}
	fmt.Printf("Medians of %d; ctrllint / the other; %d processors. %s.\nThe others run %s. Edits are %s before the clock starts.\n",
		l.runs, runtime.NumCPU(), strings.Join(said, "; "), tests, edits)
	return nil
}
