package plugin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// golangci-lint knows a plugin's name only, not its analyzers': so that `//nolint:lockheld` works, each rule is a plugin
// of its own beside the one that has them all.
func init() { //nolint:gochecknoinits // See Name.
	for _, a := range analyzers.All() {
		register.Plugin(a.Name, func(settings any) (register.LinterPlugin, error) { return NewRule(a, settings) })
	}
}

// NewRule makes a linter of the rule a. Its settings are tests, generated, and the options of the rule itself. Unknown keys
// and options are errors.
func NewRule(a *analysis.Analyzer, settings any) (register.LinterPlugin, error) {
	rules := []*analysis.Analyzer{a}
	flags, err := config.DecodeRule(settings, a)
	if err == nil {
		err = apply(flags, rules)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: settings: %w", a.Name, err)
	}
	return &linter{rules}, nil
}

// apply sets the flags of rules. The choice of files holds for the process: of several plugins the widest counts, and of the
// dependencies that of the last one.
func apply(flags []config.Flag, rules []*analysis.Analyzer) error {
	rule.Active.Golangci, rule.Active.Named = true, true
	for _, f := range flags {
		name, option, isOption := strings.Cut(f.Name, ".")
		switch {
		case isOption:
			i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == name })
			if err := rules[i].Flags.Set(option, f.Value); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		case f.Name == "tests":
			rule.Active.Tests = rule.Active.Tests || f.Value == "true"
		case f.Name == "generated":
			rule.Active.Generated = rule.Active.Generated || f.Value == "true"
		case f.Name == "nursery":
			rule.Active.Nursery = rule.Active.Nursery || f.Value == "true"
		case f.Name == "confidence":
			if err := rule.Active.Confidence.Set(f.Value); err != nil {
				return fmt.Errorf("confidence: %w", err)
			}
		case f.Name == "severity":
			if err := rule.Active.Severity.Set(f.Value); err != nil {
				return fmt.Errorf("severity: %w", err)
			}
		case f.Name == "deps":
			if err := rule.Active.Deps.Set(f.Value); err != nil {
				return fmt.Errorf("deps: %w", err)
			}
		}
	}
	return nil
}
