package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/measure"
)

// A lab is where runs are made: the caches that they start with, and what all of them found.
type lab struct {
	temp       string // removed at the end
	buildCache string // the full one
	runs       int
	tests      bool // of the tools that load tests, unless told not to
	log        io.Writer

	found   map[string]string // by module and tool
	differs []string
}

// measure runs the tools one after the other in the row's state, as often as it takes, and gives what each run of each tool cost.
func (l *lab) measure(ctx context.Context, m *module, r row, all []*tool) (map[*tool][]measure.Cost, error) {
	if r.warm {
		for _, t := range all {
			if _, err := l.run(ctx, m, r, t, m.name+" "+r.name+", before the clock starts"); err != nil {
				return nil, err
			}
		}
	}
	costs := map[*tool][]measure.Cost{}
	for i := range l.runs {
		for _, t := range all {
			c, err := l.run(ctx, m, r, t, fmt.Sprintf("%s %s %d/%d", m.name, r.name, i+1, l.runs))
			if err != nil {
				return nil, err
			}
			costs[t] = append(costs[t], c)
		}
	}
	return costs, nil
}

// run runs a tool once in the row's state.
func (l *lab) run(ctx context.Context, m *module, r row, t *tool, label string) (c measure.Cost, err error) {
	dir, err := os.MkdirTemp(l.temp, "run")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	build, own := l.buildCache, filepath.Join(dir, "own")
	if r.buildEmpty {
		build = filepath.Join(dir, "build")
	}
	if r.warm {
		own = filepath.Join(l.temp, "warm", m.name)
	}
	env := []string{"GOCACHE=" + build}
	for _, variable := range []string{"CTRLLINT_CACHE", "STATICCHECK_CACHE", "GOLANGCI_LINT_CACHE"} {
		cache := filepath.Join(own, variable)
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return c, err
		}
		env = append(env, variable+"="+cache)
	}
	argv := t.command(l.tests)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = m.dir, gocommand.Environment(env...)
	c, out, err := measure.Run(cmd)
	if err != nil {
		return c, errors.Join(err, ctx.Err())
	}
	if c.Exit > 2 {
		return c, fmt.Errorf("%s: exit code %d\n%s", strings.Join(argv, " "), c.Exit, out.Stderr)
	}
	said := ""
	if c.Exit == 2 {
		lines := strings.Split(strings.TrimSpace(string(out.Stderr)), "\n")
		said = ": " + lines[len(lines)-1]
	}
	fmt.Fprintf(l.log, "%s: %s: %.2f s CPU, %.2f s wall, %d MiB, exit code %d%s\n",
		label, t.name, c.CPU.Seconds(), c.Wall.Seconds(), c.Peak/1024, c.Exit, said)
	l.compare(m.name+", "+t.name, label, canonical(string(out.Stdout)))
	return c, nil
}

// compare notes where a tool finds anything else than it did in its first run.
func (l *lab) compare(key, label, findings string) {
	first, ok := l.found[key]
	if !ok {
		l.found[key] = findings
		return
	}
	if gone, more := diff(first, findings); gone+more != "" {
		l.differs = append(l.differs, fmt.Sprintf("%s: in %s, other findings than in the first run\n%s%s", key, label, gone, more))
	}
}

// canonical is what a tool printed, sorted.
func canonical(findings string) string {
	return strings.Join(slices.Sorted(strings.Lines(findings)), "")
}

// diff gives the lines of one canonical text that are not in the other, up to a few.
func diff(a, b string) (gone, more string) {
	only := func(sign, a, b string) string {
		count := map[string]int{}
		for line := range strings.Lines(b) {
			count[line]++
		}
		var out []string
		for line := range strings.Lines(a) {
			if count[line]--; count[line] < 0 {
				out = append(out, sign+strings.TrimSuffix(line, "\n")+"\n")
			}
		}
		if most := 5; len(out) > most {
			out = append(out[:most], fmt.Sprintf("%s and %d more lines\n", sign, len(out)-most))
		}
		return strings.Join(out, "")
	}
	return only("-", a, b), only("+", b, a)
}
