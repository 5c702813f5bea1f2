package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/measure"
)

// A lab is where runs are made: the caches that they start with, and what all of them found.
type lab struct {
	temp       string // removed at the end
	buildCache string // the full one
	runs       int
	tests      bool // of the tools that load tests, unless told not to
	precompile bool // edits are compiled before the clock starts
	log        io.Writer

	serial  int
	start   time.Time
	found   map[string]string // by module and tool
	differs []string
}

// measure runs the row's tools one after the other, as often as it takes, and gives what each run of each tool cost.
func (l *lab) measure(ctx context.Context, m *module, r row) (costs map[*tool][]measure.Cost, work string, err error) {
	work = m.name + ", " + r.work
	var e *edit
	if r.edit != nil {
		p, err := r.edit(m.pkgs)
		if err != nil {
			return nil, "", err
		}
		if e, err = newEdit(p); err != nil {
			return nil, "", err
		}
		defer func() { err = errors.Join(err, e.undo()) }()
		work += fmt.Sprintf(" (%s, %d importers)", strings.TrimPrefix(p.ImportPath, m.path+"/"), importers(m.pkgs)[p.ImportPath])
	}
	costs = map[*tool][]measure.Cost{}
	if r.warm {
		for _, t := range r.tools {
			if _, err := l.run(ctx, m, r, t, m.name+" "+r.name+", before the clock starts", []string{m.pattern}); err != nil {
				return nil, "", err
			}
		}
	}
	for i := range l.runs {
		for _, t := range r.tools {
			if e != nil {
				if err := e.apply(l.nextSerial()); err != nil {
					return nil, "", err
				}
				if l.precompile {
					if err := m.compile(ctx, []string{"GOCACHE=" + l.buildCache}); err != nil {
						return nil, "", err
					}
				}
			}
			c, err := l.run(ctx, m, r, t, fmt.Sprintf("%s %s %d/%d", m.name, r.name, i+1, l.runs), []string{m.pattern})
			if err != nil {
				return nil, "", err
			}
			costs[t] = append(costs[t], c)
		}
	}
	return costs, work, nil
}

// nextSerial is a word like no other one, not even in a build cache that another bench has left.
func (l *lab) nextSerial() string {
	l.serial++
	return fmt.Sprintf("%d-%d", l.start.UnixNano(), l.serial)
}

// run runs a tool once in the row's state.
func (l *lab) run(ctx context.Context, m *module, r row, t *tool, label string, patterns []string) (c measure.Cost, err error) {
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
	argv, err := t.command(l.temp, dir, l.nextSerial(), l.tests, patterns)
	if err != nil {
		return c, err
	}
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
	// A run of some of the packages finds less.
	if slices.Equal(patterns, []string{m.pattern}) {
		findings := out.Stdout
		if t.vet {
			findings = append(findings, out.Stderr...) // where the go command repeats what a tool says
		}
		l.compare(m.name+", "+t.name, label, canonical(string(findings)))
	}
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

// The statements that edits add are quoted where a finding shows its line.
var added = regexp.MustCompile(regexp.QuoteMeta(strings.Split(statement("|"), "|")[0]) + `[0-9-]+";`)

// canonical is what a tool printed, without the statement that an edit added, and sorted: go vet prints packages as they
// are done.
func canonical(findings string) string {
	lines := slices.Sorted(strings.Lines(added.ReplaceAllString(findings, "")))
	return strings.Join(lines, "")
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
