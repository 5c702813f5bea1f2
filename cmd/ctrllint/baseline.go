package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/phrase"
)

// baselineFlags are -baseline and -write-baseline.
type baselineFlags struct {
	file  string
	write writeMode
}

func (b *baselineFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&b.file, "baseline", "", "report only findings that are not in `file`")
	flags.Var(&b.write, "write-baseline", "create the baseline, or remove entries that no longer occur; =all writes it from scratch")
}

// writeMode is the value of -write-baseline.
type writeMode string

const (
	writeNothing writeMode = ""
	writeFewer   writeMode = "true" // never adds to a file that is there
	writeAll     writeMode = "all"
)

func (m *writeMode) String() string   { return string(*m) }
func (m *writeMode) IsBoolFlag() bool { return true }
func (m *writeMode) Set(value string) error {
	switch value {
	case "false":
		*m = writeNothing
	case string(writeFewer), string(writeAll):
		*m = writeMode(value)
	default:
		return errors.New("want true, false or all")
	}
	return nil
}

// accepted removes from a result what the baseline accepts, and updates the baseline.
type accepted struct {
	flags   baselineFlags
	path    string
	old     *baseline.Baseline // nil if there is no file yet
	options []string
}

// openBaseline reads the baseline, before the run. Its name is relative to dir; options are those of the run. Without
// -baseline, apply does nothing.
func openBaseline(dir string, flags baselineFlags, options []string) (*accepted, error) {
	if flags.file == "" {
		if flags.write != writeNothing {
			return nil, errors.New("-write-baseline needs -baseline FILE")
		}
		return &accepted{}, nil
	}
	a := &accepted{flags: flags, path: flags.file, options: options}
	if !filepath.IsAbs(a.path) {
		a.path = filepath.Join(dir, a.path)
	}
	var err error
	switch a.old, err = baseline.Read(a.path); {
	case errors.Is(err, fs.ErrNotExist) && flags.write != writeNothing:
		a.old = nil
	case errors.Is(err, baseline.ErrOld) && flags.write == writeAll:
		a.old = nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("baseline %s: no such file (-write-baseline creates it)", flags.file)
	case err != nil:
		return nil, fmt.Errorf("baseline %w", err)
	case flags.write == writeFewer && !a.comparable():
		return nil, fmt.Errorf("baseline %s was written with %s, but this run has %s, which may find less: use the same options, or write it from scratch with -write-baseline=all",
			flags.file, list(a.old.Options), list(options))
	}
	return a, nil
}

// comparable reports whether the run has the options that the baseline was made with.
func (a *accepted) comparable() bool { return slices.Equal(a.old.Options, a.options) }

func list(options []string) string {
	if len(options) == 0 {
		return "no options"
	}
	return strings.Join(options, " ")
}

// maxGone bounds the entries that are listed as gone.
const maxGone = 10

// apply leaves the new findings in r, and writes the baseline if asked to.
func (a *accepted) apply(r *driver.Result, stderr io.Writer) error {
	if a.flags.file == "" {
		return nil
	}
	if a.old == nil || a.flags.write == writeAll {
		return a.rewrite(r, stderr)
	}
	var gone []baseline.Entry
	if a.comparable() {
		gone = a.old.Gone(r.Findings, r.Judged)
	}
	r.Findings = a.old.Filter(r.Findings)
	if len(gone) == 0 {
		return nil
	}
	if a.flags.write == writeFewer {
		if err := a.old.Without(gone).Write(a.path); err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
		fmt.Fprintf(stderr, "ctrllint: baseline: %s removed from %s:\n", entries(len(gone)), a.flags.file)
	} else {
		fmt.Fprintf(stderr, "ctrllint: baseline: %s of %s no longer found; -write-baseline removes them:\n", entries(len(gone)), a.flags.file)
	}
	for i, e := range gone {
		if i == maxGone {
			fmt.Fprintf(stderr, "\tand %d more\n", len(gone)-i)
			break
		}
		fmt.Fprintf(stderr, "\t%v\n", e)
	}
	return nil
}

func entries(n int) string { return phrase.Count(n, "entry", "entries") }

// rewrite moves the findings of r to the baseline, which keeps its entries for packages that were not analysed.
func (a *accepted) rewrite(r *driver.Result, stderr io.Writer) error {
	if r.Packages() == 0 { // as with a mistyped pattern
		return fmt.Errorf("baseline %s is not written, because nothing was analysed%s", a.flags.file, why(r.Failures))
	}
	b := baseline.New(r.Findings, a.options)
	if a.old != nil {
		b = a.old.Renewed(r.Findings, a.options, r.Judged)
	}
	if err := b.Write(a.path); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	missing := ""
	if len(r.Failures) > 0 {
		missing = ", without packages that could not be analysed"
	}
	fmt.Fprintf(stderr, "ctrllint: baseline: %s written to %s%s\n", phrase.Count(b.Len(), "finding", "findings"), a.flags.file, missing)
	r.Findings = nil
	return nil
}

// why returns the first of the failures, if there is one.
func why(failures []driver.Failure) string {
	if len(failures) == 0 {
		return ": the patterns match no packages"
	}
	return ": " + failures[0].String()
}

// notShaping are the flags without influence on findings, and two others: the patterns of -exclude are absolute, and
// -only sets flags of the rules.
var notShaping = []string{
	"C", "affected", "baseline", "cache", "config", "cpuprofile", "debug", "exclude", "diff", "fix", "format", "memprofile", "new-from", "only", "q", "version",
	"write-baseline",
}

// shaping returns the flags with influence on findings that differ from their defaults, sorted.
func shaping(flags *flag.FlagSet) []string {
	var out []string
	flags.VisitAll(func(f *flag.Flag) {
		if value := f.Value.String(); value != f.DefValue && !slices.Contains(notShaping, f.Name) {
			out = append(out, "-"+f.Name+"="+value)
		}
	})
	return out
}
