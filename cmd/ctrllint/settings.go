package main

import (
	"errors"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/matrix"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// settings are those of the command line, of a file, and the defaults, in this order. Those of the rules are in
// [rule.Active].
type settings struct {
	flags   *flag.FlagSet
	rules   []*analysis.Analyzer
	formats []string // the values of -format

	config    string // the file of settings; empty to look for one, off for none
	dir       string
	format    string
	tags      string
	matrix    matrix.Builds
	baseline  baselineFlags
	newFrom   string
	affected  bool
	fixing    bool
	diff      bool
	debugging bool
	quiet     bool
	only      names
	excludes  bool // the command line has patterns of its own to leave out
	cache     cacheChoice
	profiles  profiles
	version   bool
	chosen    map[*analysis.Analyzer]*choice
}

// names is the value of a flag with names, separated by commas; a repeated flag adds more.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }
func (n *names) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("want comma-separated names")
		}
		*n = append(*n, name)
	}
	return nil
}

// newSettings returns the defaults.
func newSettings(rules []*analysis.Analyzer) *settings {
	s := sharedSettings("ctrllint", rules, config.Formats)
	s.flags.StringVar(&s.format, "format", "text", "print findings as `text`, json, sarif, github, html, junit, checkstyle or codequality")
	s.flags.Var(&s.matrix, "matrix", "analyse several `builds` in one run")
	s.flags.BoolVar(&s.fixing, "fix", false, "apply the suggested fixes")
	s.flags.BoolVar(&s.diff, "diff", false, "print the fixes as a diff instead of applying them")
	s.flags.StringVar(&s.newFrom, "new-from", "", "report only findings in code changed since the revision `rev`")
	s.baseline.add(s.flags)
	s.flags.BoolVar(&s.affected, "affected", false, "the arguments are files: analyse their packages, and those that import them")
	s.flags.BoolVar(&s.debugging, "debug", false, "print where a limit cut the analysis short, and what took how long")
	s.flags.Var(&s.only, "only", "report only these `rules` and checks, separated by commas")
	s.profiles.add(s.flags)
	s.flags.BoolVar(&s.version, "version", false, "print the version and exit")
	fileFlags(s.flags, &rule.Active)
	for _, a := range rules {
		s.flags.Var(s.chosen[a], a.Name, "run only this rule, or with =false all others")
		a.Flags.VisitAll(func(f *flag.Flag) { s.flags.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	return s
}

// sharedSettings returns the defaults of what all commands that analyse packages have.
func sharedSettings(command string, rules []*analysis.Analyzer, formats []string) *settings {
	s := &settings{flags: flag.NewFlagSet(command, flag.ContinueOnError), rules: rules, formats: formats, chosen: make(map[*analysis.Analyzer]*choice)}
	s.flags.SetOutput(io.Discard) // the caller prints errors
	s.flags.StringVar(&s.config, "config", "", "read settings from `file`; off reads none")
	s.flags.StringVar(&s.dir, "C", "", "work in `dir`; paths are relative to it")
	s.flags.StringVar(&s.tags, "tags", "", "build tags, separated by commas")
	s.flags.BoolVar(&s.quiet, "q", false, "no summary and no progress")
	s.flags.Var(&s.cache, "cache", "`on` or off: whether results are cached")
	s.flags.Var(&rule.Active.Exclude, "exclude", "report nothing in files that match these `patterns`")
	for _, a := range rules {
		s.chosen[a] = new(choice)
	}
	return s
}

// parse reads the command line and the file of settings.
func (s *settings) parse(args []string) error {
	if err := s.flags.Parse(args); err != nil || s.version {
		return err
	}
	if err := s.misread(args); err != nil {
		return err
	}
	s.flags.Visit(func(f *flag.Flag) { s.excludes = s.excludes || f.Name == "exclude" })
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return err
	}
	rule.Active.Exclude.From(dir)
	given := s.given()
	if err := s.choose(given); err != nil {
		return err
	}
	file, err := s.file(dir)
	if err != nil {
		return err
	}
	if err := s.under(file, dir); err != nil {
		return err
	}
	return s.unanswered(given)
}

// given returns the flags that have been set, with their values.
func (s *settings) given() map[string]string {
	given := make(map[string]string)
	s.flags.Visit(func(f *flag.Flag) { given[f.Name] = f.Value.String() })
	return given
}

// under sets the flags of file, which may be nil, that have not been set. Of another command's flags, file has those that
// the commands share; its format is that of findings.
func (s *settings) under(file *config.File, dir string) error {
	if file == nil {
		return nil
	}
	given, named := s.given(), false
	for name, value := range given {
		named = named || s.isRule(name) && value == "true"
	}
	for _, f := range file.Flags {
		if s.flags.Lookup(f.Name) == nil || f.Name == "format" && !slices.Equal(s.formats, config.Formats) {
			continue
		}
		if _, is := given[f.Name]; is || named && s.isRule(f.Name) {
			continue // the command line overrides the file, also in the choice of rules
		}
		if rel, err := filepath.Rel(dir, f.Value); err == nil && f.Name == "baseline" {
			f.Value = rel
		}
		if err := s.flags.Set(f.Name, f.Value); err != nil {
			return &config.Error{File: file.Name, Line: f.Line, Key: f.Name, Message: err.Error()}
		}
	}
	return nil
}

// file returns the file of settings for a run in dir, nil if there is none.
func (s *settings) file(dir string) (*config.File, error) {
	name := s.config
	switch {
	case name == "off":
		return nil, nil
	case name == "":
		found, err := config.Find(dir)
		if found == "" {
			return nil, err
		}
		name = found
		if short, err := filepath.Rel(dir, found); err == nil {
			name = short
		}
	}
	if s.dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(s.dir, name)
	}
	return config.Load(name, s.rules)
}

func (s *settings) isRule(name string) bool {
	return slices.ContainsFunc(s.rules, func(a *analysis.Analyzer) bool { return a.Name == name })
}
