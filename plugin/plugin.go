// Package plugin makes the suite a module plugin of golangci-lint, under the name ctrllint, and each of its rules one
// under its own name.
//
// A golangci-lint with the plugins in it is built by `golangci-lint custom` from a .custom-gcl.yml, or from
// plugin/golangci-lint-ctrllint. The settings are those of [Settings] and [RuleSettings]; findings are marked with the
// plugin's name, and `//nolint:ctrllint` or `//nolint:lockheld` silences them.
package plugin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
)

// Name is what the configuration calls the plugin.
const Name = "ctrllint"

// golangci-lint finds plugins by what their packages register when they are imported: there is no other way in.
func init() { register.Plugin(Name, New) } //nolint:gochecknoinits // See above.

// Settings is the `settings` part of the plugin's configuration.
type Settings struct {
	Enable    []string `json:"enable"`    // run only these rules
	Disable   []string `json:"disable"`   // run all rules but these
	Tests     bool     `json:"tests"`     // report in _test.go files, too
	Generated bool     `json:"generated"` // report in generated files, too

	Flags map[string]string `json:"flags"` // flags of rules, as "lockheld.io": "true"
}

type linter struct{ rules []*analysis.Analyzer }

// New makes the linter. Unknown keys in settings and names of rules that do not exist are errors.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, fmt.Errorf("ctrllint: %w", err)
	}
	if len(s.Enable) > 0 && len(s.Disable) > 0 {
		return nil, fmt.Errorf("ctrllint: settings enable and disable exclude each other")
	}
	rules := analyzers.All()
	for _, name := range slices.Concat(s.Enable, s.Disable) {
		if !slices.ContainsFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == name }) {
			return nil, fmt.Errorf("ctrllint: unknown rule %q", name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Flags)) {
		name, flag, _ := strings.Cut(key, ".")
		i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("ctrllint: unknown rule %q", name)
		}
		if err := rules[i].Flags.Set(flag, s.Flags[key]); err != nil {
			return nil, fmt.Errorf("ctrllint: flag %s: %w", key, err)
		}
	}
	rules = slices.DeleteFunc(rules, func(a *analysis.Analyzer) bool {
		return len(s.Enable) > 0 && !slices.Contains(s.Enable, a.Name) || slices.Contains(s.Disable, a.Name)
	})
	activate(s.Tests, s.Generated)
	return &linter{rules}, nil
}

func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return l.rules, nil }

func (l *linter) GetLoadMode() string { return register.LoadModeTypesInfo }
