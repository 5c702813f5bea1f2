package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What a command line says is not always what somebody means. What is known to go wrong is said before the run, in one line,
// with how it is said right.

// misread finds the words of args, which were parsed, that were not read as they were meant.
func (s *settings) misread(args []string) error {
	for i, word := range args {
		name := strings.TrimLeft(word, "-")
		if name == word || word == "--" {
			continue
		}
		f := s.flags.Lookup(name)
		if f == nil || takesValue(f) || i+1 == len(args) {
			continue
		}
		if value := args[i+1]; value == "true" || value == "false" || value == string(writeAll) && f.Name == "write-baseline" {
			return fmt.Errorf("-%s %s is read as the flag, and a package %s: write -%s=%s", f.Name, value, value, f.Name, value)
		}
	}
	given := false
	s.flags.Visit(func(f *flag.Flag) { given = given || f.Name == "format" })
	if s.diff && given && s.format != "text" {
		return fmt.Errorf("-diff prints a diff and no findings, which -format %s is for: leave one of them out", s.format)
	}
	if s.diff {
		s.format = "text"
	}
	return nil
}

// better is err, of the flags, with what may have been meant, and where to look.
func (s *settings) better(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	name = strings.TrimLeft(name, "-")
	var names []string
	rule, option, ofRule := strings.Cut(name, ".")
	s.flags.VisitAll(func(f *flag.Flag) {
		of, its, is := strings.Cut(f.Name, ".")
		switch {
		case !ofRule && !is:
			names = append(names, f.Name)
		case ofRule && is && of == rule: // the name of the rule says nothing of what is meant
			names = append(names, its)
		}
	})
	near := nearest(option, names)
	if near != "" && ofRule {
		near = rule + "." + near
	} else if !ofRule {
		near = nearest(name, names)
	}
	switch {
	case unknown && slices.Contains(config.Formats, name):
		return fmt.Errorf("%w (say -format %s; see ctrllint help)", err, name)
	case unknown && near != "":
		return fmt.Errorf("%w (did you mean -%s? See ctrllint help)", err, near)
	}
	return fmt.Errorf("%w (see ctrllint help)", err)
}

// mistaken finds what a run with s could not, or should not, do.
func (s *settings) mistaken() error {
	if info, err := os.Stat(s.dir); s.dir != "" && err != nil {
		return fmt.Errorf("-C %s: %w", s.dir, reason(err))
	} else if s.dir != "" && !info.IsDir() {
		return fmt.Errorf("-C %s: it is no folder", s.dir)
	}
	for _, p := range s.flags.Args() {
		if err := s.badPattern(p); err != nil {
			return err
		}
	}
	if len(s.pick()) == 0 {
		return errors.New("no rule is left to run: all are turned off, by -RULE=false or in the file of settings; -RULE runs the ones named so")
	}
	if s.baseline.file != "" && s.baseline.write != writeNothing {
		folder := filepath.Dir(s.inDir(s.baseline.file))
		if info, err := os.Stat(folder); err != nil {
			return fmt.Errorf("baseline %s: its folder cannot be written to: %w", s.baseline.file, reason(err))
		} else if !info.IsDir() {
			return fmt.Errorf("baseline %s: %s is no folder", s.baseline.file, filepath.Dir(s.baseline.file))
		}
	}
	return nil
}

// badPattern says what is wrong with one of the arguments that name packages, or files.
func (s *settings) badPattern(p string) error {
	switch {
	case p == "":
		return errors.New("one of the packages is an empty word: say ./... for all packages, or leave it out")
	case strings.HasPrefix(p, "-"):
		return fmt.Errorf("flag %s stands after the packages: flags come first (see ctrllint help)", p)
	}
	info, err := os.Stat(s.inDir(filepath.FromSlash(p)))
	switch {
	case s.affected && (strings.Contains(p, "...") || err == nil && info.IsDir()):
		return fmt.Errorf("-affected takes files, as git diff --name-only lists them, and %s names packages", p)
	case s.affected:
		return nil // one that is not there was removed
	case err == nil && info.Mode().IsRegular() && !strings.HasSuffix(p, ".go"):
		return fmt.Errorf("%s is not a Go file: packages are named by their folders, as in ./... for all of them", p)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(p, ".go"):
		return fmt.Errorf("%s: no such file", p)
	}
	return nil
}

// inDir is where a file lies whose name is relative to the folder of the run.
func (s *settings) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, name)
}

// remarks are what of the settings has no effect.
func (s *settings) remarks() []string {
	if !s.excludes { // a file of settings is for all packages, and for times when there are such files
		return nil
	}
	var out []string
	dir, err := filepath.Abs(s.dir)
	for _, p := range rule.Active.Exclude.Idle() {
		if rel, relErr := filepath.Rel(dir, p); err == nil && relErr == nil {
			p = filepath.ToSlash(rel)
		}
		out = append(out, fmt.Sprintf("-exclude: nothing matches %s", p))
	}
	return out
}

// reason is err without the name of the file.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// printVersion prints the version of the program.
func printVersion(_ []*analysis.Analyzer, _ []string, stdout, _ io.Writer) int {
	fmt.Fprintln(stdout, "ctrllint", buildVersion())
	return exitClean
}

// nearest is the one of names that a typing error could have made word of; empty where there is none.
func nearest(word string, names []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of letters to put in, to take out, to change, or to swap with the next one, that makes b of a, after Damerau and
// Levenshtein.
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
