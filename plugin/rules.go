package plugin

import (
	"fmt"
	"maps"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// golangci-lint knows a plugin's name only, not its analyzers': so that `//nolint:lockheld` works, each rule is a plugin
// of its own beside the one that has them all.
func init() { //nolint:gochecknoinits // See Name.
	for _, a := range analyzers.All() {
		register.Plugin(a.Name, func(settings any) (register.LinterPlugin, error) { return NewRule(a, settings) })
	}
}

// RuleSettings is the `settings` part of the configuration of one rule.
type RuleSettings struct {
	Tests     bool `json:"tests"`     // report in _test.go files, too
	Generated bool `json:"generated"` // report in generated files, too

	Flags map[string]string `json:"flags"` // flags of the rule, as "io": "true"
}

// NewRule makes a linter of the rule a. Unknown keys in settings and flags that a does not have are errors.
func NewRule(a *analysis.Analyzer, settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[RuleSettings](settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	for _, flag := range slices.Sorted(maps.Keys(s.Flags)) {
		if err := a.Flags.Set(flag, s.Flags[flag]); err != nil {
			return nil, fmt.Errorf("%s: flag %s: %w", a.Name, flag, err)
		}
	}
	activate(s.Tests, s.Generated)
	return &linter{[]*analysis.Analyzer{a}}, nil
}

// activate makes the choice of files, which holds for the process: of several plugins the widest counts.
func activate(tests, generated bool) {
	rule.Active.Tests = rule.Active.Tests || tests
	rule.Active.Generated = rule.Active.Generated || generated
	rule.Active.Golangci = true
}
