package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spelling"
)

// Names returns the names of rules, and behind them those of their sub-rules, as RULE/SUB-RULE.
func Names(rules []*analysis.Analyzer) (names []string) {
	for _, a := range rules {
		names = append(names, a.Name)
	}
	for _, a := range rules {
		for _, s := range rule.Subs(a) {
			names = append(names, a.Name+"/"+s.Name)
		}
	}
	return names
}

// lists are the lists of rules and sub-rules to be enabled and disabled; nil for an absent one. A sub-rule in a list
// overrides its rule in the other one.
type lists struct{ enable, disable *yaml.Node }

// find returns the item of a list that is name, nil if there is none.
func find(list *yaml.Node, name string) *yaml.Node {
	if list == nil {
		return nil
	}
	for _, item := range list.Content {
		if item.Value == name {
			return item
		}
	}
	return nil
}

// mistaken returns the error that a name is in both lists.
func (l lists) mistaken() *Error {
	if l.enable == nil || l.disable == nil {
		return nil
	}
	for i, item := range l.disable.Content {
		if find(l.enable, item.Value) != nil {
			return &Error{Line: item.Line, Key: fmt.Sprintf("disable[%d]", i), Message: fmt.Sprintf("%q is also in enable: keep one of them", item.Value)}
		}
	}
	return nil
}

// flags returns the flags of rules and sub-rules. If only sub-rules of a rule are enabled, its others are off.
func (l lists) flags(rules []*analysis.Analyzer) (flags []Flag) {
	add := func(n *yaml.Node, name string, value bool) {
		flags = append(flags, Flag{name, strconv.FormatBool(value), n.Line})
	}
	for _, a := range rules {
		enabled, disabled := find(l.enable, a.Name), find(l.disable, a.Name)
		var some *yaml.Node // a sub-rule that is wanted
		for _, s := range rule.Subs(a) {
			if item := find(l.enable, a.Name+"/"+s.Name); item != nil && some == nil {
				some = item
			}
		}
		for _, s := range rule.Subs(a) {
			name, flag := a.Name+"/"+s.Name, a.Name+"."+s.Name
			if item := find(l.enable, name); item != nil {
				add(item, flag, true)
			} else if item := find(l.disable, name); item != nil {
				add(item, flag, false)
			} else if some != nil && enabled == nil {
				add(l.enable, flag, false)
			}
		}
		switch {
		case enabled != nil:
			add(enabled, a.Name, true)
		case some != nil:
			add(some, a.Name, true)
		case disabled != nil:
			add(disabled, a.Name, false)
		}
	}
	return flags
}

// contradicted returns the error that an option contradicts the lists, whose flags are chosen.
func contradicted(chosen, options []Flag) *Error {
	for _, o := range options {
		for _, c := range chosen {
			if c.Name == o.Name && c.Value != o.Value {
				return &Error{
					Line: o.Line, Key: "options." + o.Name,
					Message: fmt.Sprintf("%s here, but %s by enable or disable: keep one of them", o.Value, c.Value),
				}
			}
		}
	}
	return nil
}

// Only returns the flags for only the rules and sub-rules with these names, and those that reset the sub-rules of
// named rules to their defaults.
func Only(names []string, rules []*analysis.Analyzer) (named, usual []Flag, err error) {
	if len(names) == 0 {
		return nil, nil, nil
	}
	all := Names(rules)
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, nil, fmt.Errorf("-only: unknown rule or check %q%s", name, strings.TrimSuffix(": "+spelling.DidYouMean(name, all), ": "))
		}
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name})
	}
	named = lists{enable: list}.flags(rules)
	for _, a := range rules {
		if find(list, a.Name) == nil {
			continue
		}
		for _, s := range rule.Subs(a) {
			name := a.Name + "." + s.Name
			if !slices.ContainsFunc(named, func(f Flag) bool { return f.Name == name }) {
				usual = append(usual, Flag{Name: name, Value: strconv.FormatBool(s.Default())})
			}
		}
	}
	return named, usual, nil
}
