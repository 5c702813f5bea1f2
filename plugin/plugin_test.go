package plugin

import (
	"fmt"
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
		{"both", map[string]any{"enable": all[:1], "disable": all[1:]}, nil, "exclude each other"},
		{"files", map[string]any{"tests": true, "generated": true}, all, ""},
		{"flag", map[string]any{"flags": map[string]any{"lockheld.io": "false"}}, all, ""},
		{"unknown flag", map[string]any{"flags": map[string]any{"lockheld.nope": "true"}}, nil, "flag lockheld.nope: "},
		{"flag of an unknown rule", map[string]any{"flags": map[string]any{"nope.io": "true"}}, nil, `unknown rule "nope"`},
		{"wrong value of a flag", map[string]any{"flags": map[string]any{"lockheld.io": "maybe"}}, nil, "flag lockheld.io: "},
		{"unknown rule", map[string]any{"enable": []any{"nosuchrule"}}, nil, `unknown rule "nosuchrule"`},
		{"unknown key", map[string]any{"enabled": true}, nil, `unknown field "enabled"`},
		{"wrong type", map[string]any{"tests": "yes"}, nil, "cannot unmarshal"},
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
			if files := test.name == "files"; rule.Active.Tests != files || rule.Active.Generated != files {
				t.Errorf("settings are %+v", rule.Active)
			}
		})
	}
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
		{map[string]any{"flags": map[string]any{"io": "false"}}, ""},
		{map[string]any{"flags": map[string]any{"nope": "true"}}, "lockheld: flag nope: "},
		{map[string]any{"enable": []any{"lockheld"}}, `lockheld: .*unknown field "enable"`},
		{map[string]any{"tests": true}, ""},
		{nil, ""},
	} {
		_, err := build(test.settings)
		if got := fmt.Sprint(err); test.err == "" && err != nil || test.err != "" && !regexp.MustCompile(test.err).MatchString(got) {
			t.Errorf("%v: got error %v, want %q", test.settings, err, test.err)
		}
	}
	if want := (rule.Settings{Tests: true, Golangci: true}); rule.Active != want {
		t.Errorf("settings are %+v, want %+v: the widest of all plugins", rule.Active, want)
	}
}

// TestFlags checks that a flag of a rule reaches the rule.
func TestFlags(t *testing.T) {
	rules := analyzers.All()
	i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == "lockheld" })
	io := rules[i].Flags.Lookup("io")
	defer func() { _ = io.Value.Set(io.DefValue) }()
	if _, err := New(map[string]any{"flags": map[string]any{"lockheld.io": "true"}}); err != nil {
		t.Fatal(err)
	}
	if got := io.Value.String(); got != "true" {
		t.Errorf("lockheld.io is %s, want true", got)
	}
}
