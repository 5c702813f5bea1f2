package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spelling"
)

// Known mistakes in command lines are reported before the run, in one line, with the correction.

// misread finds words of args that were parsed differently from what was meant.
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
			return fmt.Errorf("-%s %s is read as the flag and a package %s: write -%s=%s", f.Name, value, value, f.Name, value)
		}
	}
	given := false
	s.flags.Visit(func(f *flag.Flag) { given = given || f.Name == "format" })
	if s.diff && given && s.format != "text" {
		return fmt.Errorf("-diff prints a diff instead of findings, so it cannot be combined with -format %s", s.format)
	}
	if s.diff {
		s.format = "text"
	}
	return nil
}

// better is err, of the flags, with a suggestion.
func (s *settings) better(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	name = strings.TrimLeft(name, "-")
	var names []string
	s.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	near := spelling.Meant(name, names)
	switch {
	case unknown && slices.Contains(s.formats, name):
		return fmt.Errorf("%w (use -format %s; see ctrllint help)", err, name)
	case unknown && near != nil:
		return fmt.Errorf("%w (did you mean -%s? See ctrllint help)", err, strings.Join(near, " or -"))
	}
	return fmt.Errorf("%w (see ctrllint help)", err)
}

// mistaken finds mistakes in s.
func (s *settings) mistaken() error {
	if info, err := os.Stat(s.dir); s.dir != "" && err != nil {
		return fmt.Errorf("-C %s: %w", s.dir, reason(err))
	} else if s.dir != "" && !info.IsDir() {
		return fmt.Errorf("-C %s: not a folder", s.dir)
	}
	if err := s.noCommand(); err != nil {
		return err
	}
	for _, p := range s.flags.Args() {
		if err := s.badPattern(p); err != nil {
			return err
		}
	}
	picked := s.pick()
	if len(picked) == 0 {
		return errors.New("no rule to run: all are disabled, by -RULE=false or in the settings file; -RULE runs the named ones")
	}
	if err := speechless(picked); err != nil {
		return err
	}
	if s.baseline.file != "" && s.baseline.write != writeNothing {
		folder := filepath.Dir(s.inDir(s.baseline.file))
		if info, err := os.Stat(folder); err != nil {
			return fmt.Errorf("baseline %s: its folder is not writable: %w", s.baseline.file, reason(err))
		} else if !info.IsDir() {
			return fmt.Errorf("baseline %s: %s is not a folder", s.baseline.file, filepath.Dir(s.baseline.file))
		}
	}
	return nil
}

// noCommand returns the error that the first argument is no package, and almost a command.
func (s *settings) noCommand() error {
	word := s.flags.Arg(0)
	meant := spelling.Meant(word, slices.Sorted(maps.Keys(subcommands())))
	if meant == nil || strings.ContainsAny(word, "./") {
		return nil
	}
	command := meant[0] == word
	if _, err := os.Stat(s.inDir(word)); err == nil {
		return nil // the folder was meant, which is said as ./word
	}
	if found, err := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: s.dir}, word); err != nil || len(found) > 0 && len(found[0].Errors) == 0 {
		return nil // a package of the standard library
	}
	if command {
		return fmt.Errorf("%s is a command and comes first: ctrllint %[1]s, then its flags", word)
	}
	return fmt.Errorf("%s is neither a command nor a package: did you mean ctrllint %s?", word, strings.Join(meant, " or "))
}

// badPattern returns the error of an argument that names packages, or files.
func (s *settings) badPattern(p string) error {
	switch {
	case p == "":
		return errors.New("one of the packages is an empty string: use ./... for all packages")
	case strings.HasPrefix(p, "-"):
		return fmt.Errorf("flag %s comes after the packages: flags come first (see ctrllint help)", p)
	}
	info, err := os.Stat(s.inDir(filepath.FromSlash(p)))
	switch {
	case s.affected && (strings.Contains(p, "...") || err == nil && info.IsDir()):
		return fmt.Errorf("-affected takes files, as listed by git diff --name-only, but %s names packages", p)
	case s.affected:
		return nil // one that is not there was removed
	case err == nil && info.Mode().IsRegular() && !strings.HasSuffix(p, ".go"):
		return fmt.Errorf("%s is not a Go file: packages are named by their folders, as in ./... for all of them", p)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(p, ".go"):
		return fmt.Errorf("%s: no such file", p)
	}
	return nil
}

// inDir returns the name of a file relative to the folder of the run.
func (s *settings) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, name)
}

// remarks name settings without effect.
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
