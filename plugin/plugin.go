// Package plugin makes the suite a module plugin of golangci-lint, under the name ctrllint, and each of its rules one
// under its own name.
//
// A golangci-lint with the plugins in it is built by `golangci-lint custom` from a .custom-gcl.yml, or from
// plugin/golangci-lint-ctrllint. The settings are those of [New] and [NewRule]; findings are marked with the plugin's
// name, and `//nolint:ctrllint` or `//nolint:lockheld` silences them.
package plugin

import (
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Name is what the configuration calls the plugin.
const Name = "ctrllint"

// golangci-lint finds plugins by what their packages register when they are imported: there is no other way in.
func init() { register.Plugin(Name, New) } //nolint:gochecknoinits // See above.

type linter struct{ rules []*analysis.Analyzer }

// New makes the linter from the `settings` part of the plugin's configuration. Its keys are those of .ctrllint.yml, but
// for the ones that golangci-lint has a place of its own for. Unknown keys, rules and options are errors.
func New(settings any) (register.LinterPlugin, error) {
	rules := analyzers.All()
	flags, err := config.Decode(settings, rules)
	if err != nil {
		return nil, fmt.Errorf("ctrllint: settings: %w", err)
	}
	if err := apply(flags, rules); err != nil {
		return nil, fmt.Errorf("ctrllint: settings: %w", err)
	}
	rule.Active.Suite = true
	enabled, disabled := config.Choice(flags, rules)
	return &linter{slices.DeleteFunc(rules, func(a *analysis.Analyzer) bool {
		return len(enabled) > 0 && !slices.Contains(enabled, a.Name) || slices.Contains(disabled, a.Name)
	})}, nil
}

func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return l.rules, nil }

func (l *linter) GetLoadMode() string { return register.LoadModeTypesInfo }
