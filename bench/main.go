// Command bench measures what ctrllint costs on modules, next to staticcheck and golangci-lint, and prints a table for docs/cost.md.
//
//	bench [flags] -module NAME=DIR ...
//
// A row of the table is work in a certain state: what the go command's build cache and the tool's own cache hold when
// the clock starts. A round runs ctrllint and then the others, one after the other; ratios are those of runs of the same
// round, and medians over the rounds are printed. What a run costs is
//
//   - CPU: user and system time, of the tool and of all processes that it starts, such as the go command and compilers;
//   - wall: the time on the clock, which says little on a machine with other work;
//   - peak: the resident memory of the largest single process, the highest of all rounds.
//
// Nothing is written to DIR: the module is copied to a temporary folder, with its dependencies downloaded before the
// first run. All caches are folders of the bench, too.
//
// A tool has to find the same in all rows of a module. Where it does not, the bench says so and fails.
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

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

const usage = `bench measures what ctrllint costs on modules, next to staticcheck and golangci-lint, and prints a table in Markdown.

	bench [flags] -module NAME=DIR ...

Rows:
	nobuild    the go command's build cache is empty, as is the tool's own. Whoever needs compiled packages
	           compiles all of them in each run: minutes each, on a large module
	cold       the build cache is full, the tool's own is empty
	warm       nothing has changed since the last run

Flags:
`

// options are the flags.
type options struct {
	modules    []source
	rows       string
	runs       int
	noTests    bool
	buildCache string
}

// A source is where a module comes from.
type source struct{ name, dir string }

func main() {
	var o options
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Func("module", "measure the module in DIR, and call it NAME, as in `NAME=DIR`; can be given more than once", o.addModule)
	flag.StringVar(&o.rows, "rows", "", "a `list` of rows, separated by commas; all if empty")
	flag.IntVar(&o.runs, "runs", 3, "the `number` of rounds, of which the medians are printed")
	flag.BoolVar(&o.noTests, "no-tests", false, "have staticcheck and golangci-lint leave out tests, as ctrllint does")
	flag.StringVar(&o.buildCache, "gocache", "", "the `folder` of the build cache that is full; it is filled, used and kept. The default is a\ntemporary one, which takes minutes to fill for a large module")
	flag.StringVar(&ctrllint.path, "ctrllint", "", "the ctrllint `binary`; built if empty")
	flag.StringVar(&staticcheck.path, "staticcheck", "", "the staticcheck `binary`; built if empty")
	flag.StringVar(&golangci.path, "golangci-lint", "golangci-lint", "the golangci-lint v2 `binary`")
	flag.Parse()
	if flag.NArg() != 0 || o.runs < 1 || len(o.modules) == 0 {
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
	if slices.ContainsFunc(o.modules, func(s source) bool { return s.name == name }) {
		return fmt.Errorf("%s is another module already", name)
	}
	o.modules = append(o.modules, source{name, dir})
	return nil
}

func bench(ctx context.Context, o options) (err error) {
	chosen, err := choose(o.rows)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	l := &lab{temp: temp, buildCache: o.buildCache, runs: o.runs, tests: !o.noTests, log: os.Stderr, found: map[string]string{}}
	if l.buildCache == "" {
		l.buildCache = filepath.Join(temp, "gocache")
	}
	if l.buildCache, err = filepath.Abs(l.buildCache); err != nil {
		return err
	}
	if err := prepareTools(ctx, temp, chosen); err != nil {
		return err
	}
	lines := []string{tableHead}
	for _, s := range o.modules {
		done, err := l.module(ctx, s, chosen)
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
	if err := caption(ctx, l, chosen); err != nil {
		return err
	}
	fmt.Printf("\n%s\n", strings.Join(lines, "\n"))
	if len(l.differs) > 0 {
		return errors.New("a tool did not find the same in all states:\n" + strings.Join(l.differs, "\n"))
	}
	return nil
}

// prepareTools finds or builds the binaries that the rows need.
func prepareTools(ctx context.Context, temp string, rows []row) error {
	root, err := gocommand.Run(ctx, "", nil, "list", "-m", "-f", "{{.Dir}}", "github.com/ctrllint/ctrllint")
	if err != nil {
		return err
	}
	for _, t := range tools(rows) {
		if err := t.find(ctx, strings.TrimSpace(string(root)), temp); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// module measures rows on one module, and gives lines of the table, even with an error.
func (l *lab) module(ctx context.Context, s source, rows []row) ([]string, error) {
	env := []string{"GOCACHE=" + l.buildCache}
	m := &module{name: s.name, dir: filepath.Join(l.temp, "modules", s.name)}
	if err := copyTree(s.dir, m.dir); err != nil {
		return nil, err
	}
	n, err := m.download(ctx, env)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(l.log, "%s: %d packages\n", s.name, n)
	var lines []string
	full := false
	for _, r := range rows {
		if !r.buildEmpty && !full {
			fmt.Fprintf(l.log, "%s: compiling\n", s.name)
			if err := m.compile(ctx, env); err != nil {
				return lines, err
			}
			full = true
		}
		costs, err := l.measure(ctx, m, r, tools([]row{r}))
		if err != nil {
			return lines, err
		}
		for _, peer := range r.peers {
			lines = append(lines, line(m.name+", "+r.work, peer.name, costs[ctrllint], costs[peer]))
			fmt.Fprintln(l.log, lines[len(lines)-1])
		}
	}
	return lines, nil
}

// caption prints what was measured, and how.
func caption(ctx context.Context, l *lab, rows []row) error {
	version, err := exec.CommandContext(ctx, "go", "version").Output()
	if err != nil {
		return err
	}
	said := []string{strings.TrimSpace(string(version))}
	for _, t := range tools(rows)[1:] {
		v, err := t.version(ctx)
		if err != nil {
			return err
		}
		said = append(said, t.name+" "+strings.TrimPrefix(v, "staticcheck "))
	}
	tests := "with tests, by default"
	if !l.tests {
		tests = "without tests"
	}
	fmt.Printf("Medians of %d; ctrllint / the other; %d processors. %s.\nThe others run %s.\n", l.runs, runtime.NumCPU(), strings.Join(said, "; "), tests)
	return nil
}
