package plugin

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

func TestSettings(t *testing.T) {
	defer func() { rule.Active = rule.Settings{} }()
	var all []string
	for _, a := range analyzers.All() {
		all = append(all, a.Name)
	}
	for _, test := range []struct {
		name     string
		settings any
		want     []string
		err      string
	}{
		{"none", nil, all, ""},
		{"enable", map[string]any{"enable": []any{"lockheld"}}, []string{"lockheld"}, ""},
		{"disable", map[string]any{"disable": all[1:]}, all[:1], ""},
		{"both", map[string]any{"enable": all[:1], "disable": all[1:]}, all[:1], ""},
		{"both the same", map[string]any{"enable": all[:1], "disable": all[:1]}, nil, "is also in enable"},
		{"both of one rule", map[string]any{"enable": []any{"lockheld/relock"}, "disable": []any{"lockheld"}}, []string{"lockheld"}, ""},
		{"files", map[string]any{"tests": true, "generated": true, "nursery": true}, all, ""},
		{"dependencies", map[string]any{"deps": "off"}, all, ""},
		{"other dependencies", map[string]any{"deps": "some"}, nil, `deps: unknown value "some"`},
		{"option", options("lockheld", "slow", false), all, ""},
		{"unknown option", options("lockheld", "nope", true), nil, `options.lockheld: unknown key "nope"`},
		{"option of an unknown rule", options("nope", "slow", true), nil, `options: unknown rule "nope"`},
		{"wrong value of an option", options("lockheld", "slow", "maybe"), nil, "options.lockheld.slow: want true or false"},
		{"bad function", options("lockheld", "blocks", []any{"F"}), nil, `options.lockheld.blocks[0]: "F" is not a function`},
		{"unknown rule", map[string]any{"enable": []any{"nosuchrule"}}, nil, `enable[0]: unknown value "nosuchrule"`},
		{"unknown key", map[string]any{"enabled": true}, nil, `unknown key "enabled": did you mean enable?`},
		{"key of the command", map[string]any{"exclude": []any{"x"}}, nil, "linters.exclusions.paths"},
		{"wrong type", map[string]any{"tests": "yes"}, nil, "tests: want true or false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rule.Active = rule.Settings{}
			build, err := register.GetPlugin(Name)
			if err != nil {
				t.Fatal(err)
			}
			p, err := build(test.settings)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rules, err := p.BuildAnalyzers()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range rules {
				got = append(got, a.Name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if files := test.name == "files"; rule.Active.Tests != files || rule.Active.Generated != files || rule.Active.Nursery != files {
				t.Errorf("settings are %+v", rule.Active)
			}
		})
	}
}

// options are settings with one option of a rule.
func options(rule, name string, value any) map[string]any {
	return map[string]any{"options": map[string]any{rule: map[string]any{name: value}}}
}

func TestRules(t *testing.T) {
	defer func() { rule.Active = rule.Settings{} }()
	for _, a := range analyzers.All() {
		build, err := register.GetPlugin(a.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		p, err := build(nil)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if rules, err := p.BuildAnalyzers(); err != nil || len(rules) != 1 || rules[0].Name != a.Name {
			t.Errorf("plugin %s runs %v (%v)", a.Name, rules, err)
		}
		if p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("plugin %s loads without types", a.Name)
		}
	}
	build, err := register.GetPlugin("lockheld")
	if err != nil {
		t.Fatal(err)
	}
	rule.Active = rule.Settings{}
	for _, test := range []struct {
		settings any
		err      string
	}{
		{map[string]any{"options": map[string]any{"slow": false}}, ""},
		{map[string]any{"options": map[string]any{"nope": true}}, `lockheld: settings: options: unknown key "nope"`},
		{map[string]any{"options": map[string]any{"slow": "no"}}, "lockheld: settings: options.slow: want true or false"},
		{map[string]any{"enable": []any{"lockheld"}}, `lockheld: settings: unknown key "enable": want deps, generated, nursery, options or tests`},
		{map[string]any{"tests": true}, ""},
		{nil, ""},
	} {
		_, err := build(test.settings)
		if got := fmt.Sprint(err); test.err == "" && err != nil || test.err != "" && !regexp.MustCompile(test.err).MatchString(got) {
			t.Errorf("%v: got error %v, want %q", test.settings, err, test.err)
		}
	}
	if want := (rule.Settings{Tests: true, Golangci: true, Named: true}); !reflect.DeepEqual(rule.Active, want) {
		t.Errorf("settings are %+v, want %+v: the widest of all plugins", rule.Active, want)
	}
}

// TestOptions checks that an option of a rule reaches the rule.
func TestOptions(t *testing.T) {
	rules := analyzers.All()
	i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == "lockheld" })
	io := rules[i].Flags.Lookup("slow")
	defer func() { _ = io.Value.Set(io.DefValue); rule.Active = rule.Settings{} }()
	if _, err := New(options("lockheld", "slow", true)); err != nil {
		t.Fatal(err)
	}
	if got := io.Value.String(); got != "true" {
		t.Errorf("lockheld.slow is %s, want true", got)
	}
	if _, err := New(options("lockheld", "blocks", []any{"example.com/p.F"})); err != nil {
		t.Fatal(err)
	}
	if got := rule.Active.Blocks.String(); got != "example.com/p.F" {
		t.Errorf("lockheld.blocks is %s", got)
	}
}
