package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// choice is the value of a flag -RULE: empty, "true" or "false".
type choice string

func (c *choice) String() string   { return string(*c) }
func (c *choice) IsBoolFlag() bool { return true }
func (c *choice) Set(value string) error {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return errors.New("want true or false")
	}
	*c = choice(strconv.FormatBool(b))
	return nil
}

// pick returns the rules to run, as go vet does: those set to true if there are any, otherwise all that are not set
// to false.
func (s *settings) pick() []*analysis.Analyzer {
	var named, rest []*analysis.Analyzer
	for _, a := range s.rules {
		switch *s.chosen[a] {
		case "true":
			named = append(named, a)
		case "":
			rest = append(rest, a)
		}
	}
	if named != nil {
		return named
	}
	return rest
}

// choose sets the flags of rules and sub-rules for -only, unless they are in given, those of the command line. The
// two must not contradict each other.
func (s *settings) choose(given map[string]string) error {
	named, usual, err := config.Only(s.only, s.rules)
	if err != nil {
		return err
	}
	set := func(f config.Flag) error {
		if err := s.flags.Set(f.Name, f.Value); err != nil {
			return fmt.Errorf("-only: -%s=%s: %w", f.Name, f.Value, err)
		}
		return nil
	}
	for _, f := range named {
		if value, is := given[f.Name]; is && value != f.Value {
			return fmt.Errorf("-only %s and -%s=%s contradict each other: remove one of them", s.only.String(), f.Name, value)
		}
		if err := set(f); err != nil {
			return err
		}
	}
	for _, f := range usual {
		if _, is := given[f.Name]; is {
			continue // lockheld, but without that sub-rule, or with that one, too
		}
		if err := set(f); err != nil {
			return err
		}
	}
	for _, a := range s.rules {
		if len(s.only) > 0 && given[a.Name] == "true" && !slices.ContainsFunc(named, func(f config.Flag) bool { return f.Name == a.Name }) {
			return fmt.Errorf("-only %s and -%s contradict each other: use -only %s,%s", s.only.String(), a.Name, s.only.String(), a.Name)
		}
	}
	return nil
}

// unanswered returns the error that a flag in given enables a sub-rule of a rule that does not run.
func (s *settings) unanswered(given map[string]string) error {
	picked := s.pick()
	for _, a := range s.rules {
		if slices.Contains(picked, a) {
			continue
		}
		for _, sub := range rule.Subs(a) {
			if name := a.Name + "." + sub.Name; given[name] == "true" {
				return fmt.Errorf("-%s enables %s/%s, but the rule %s does not run: remove the flag, or enable the rule", name, a.Name, sub.Name, a.Name)
			}
		}
	}
	return nil
}

// speechless returns the error that the picked rules can report nothing: their sub-rules are off, or not severe enough.
func speechless(picked []*analysis.Analyzer) error {
	var on, nursery []string
	for _, a := range picked {
		subs := rule.Subs(a)
		if len(subs) == 0 {
			return nil // it reports without any
		}
		for _, s := range subs {
			name := a.Name + "/" + s.Name
			switch {
			case !s.On():
			case !rule.Active.Nursery && rule.CheckLevel(name) == rule.Nursery:
				nursery = append(nursery, name)
			case s.Severity >= rule.Active.Severity:
				return nil
			default:
				on = append(on, name)
			}
		}
	}
	if len(on) == 0 && len(nursery) > 0 {
		return fmt.Errorf("nothing to report: all of %s is in the nursery (-nursery enables it)", phrase.Some(nursery))
	}
	switch len(on) {
	case 0:
		return errors.New("nothing to report: all checks are disabled, by -RULE.CHECK=false or in the settings file")
	case 1:
		return fmt.Errorf("nothing to report: %s is a warning, which -severity error excludes", on[0])
	}
	return fmt.Errorf("nothing to report: %s are warnings, which -severity error excludes", phrase.Some(on))
}
