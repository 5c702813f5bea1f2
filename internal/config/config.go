// Package config reads settings: a file .ctrllint.yml, or the settings of a golangci-lint plugin.
//
// Settings stand for flags, and are applied as such. Under go vet they are given as flags, by which the go command caches.
package config

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/pathglob"
)

// A Flag is one flag that settings stand for.
type Flag struct {
	Name, Value string
	Line        int // in the file
}

// File is a file of settings that was read.
type File struct {
	Name  string
	Flags []Flag
}

// Vet returns the flags that the tool of go vet has, too.
func (f *File) Vet() []Flag {
	return slices.DeleteFunc(slices.Clone(f.Flags), func(f Flag) bool { return f.Name == "format" || f.Name == "matrix" || f.Name == "baseline" })
}

// names are those of a file of settings.
var names = []string{".ctrllint.yml", ".ctrllint.yaml"}

// Find returns the name of the file of settings in dir or the folders above it, up to the root of the repository;
// empty if there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		var found []string
		for _, name := range names {
			info, err := os.Lstat(filepath.Join(dir, name)) // a broken link is found, too, and cannot be read
			if err == nil && info.IsDir() {
				return "", fmt.Errorf("%s is a folder, not a settings file: rename it, or use -config off", filepath.Join(dir, name))
			} else if err == nil {
				found = append(found, name)
			}
		}
		if len(found) > 1 {
			return "", fmt.Errorf("%s has both %s: keep one", dir, strings.Join(found, " and "))
		} else if len(found) == 1 {
			return filepath.Join(dir, found[0]), nil
		}
		_, err := os.Stat(filepath.Join(dir, ".git")) // a folder, or a file in a work tree
		if parent := filepath.Dir(dir); err == nil || parent == dir {
			return "", nil
		} else {
			dir = parent
		}
	}
}

// Load reads and validates a file of settings. A mistake is an [*Error].
func Load(name string, rules []*analysis.Analyzer) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	root, err := parse(data)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	f := &File{Name: name}
	if root == nil {
		return f, nil
	}
	mistake := describe(rules, false).validate(root, "")
	if mistake == nil {
		f.Flags, mistake = flagsOf(root, rules, dir)
	}
	if mistake != nil {
		mistake.File = name
		return nil, mistake
	}
	return f, nil
}

// Decode returns the flags for the settings of the golangci-lint plugin of all rules, as decoded. A mistake is an
// [*Error] without a file.
func Decode(settings any, rules []*analysis.Analyzer) ([]Flag, error) {
	return decode(settings, rules, describe(rules, true), func(*yaml.Node) {})
}

// decode returns the flags for settings that are valid by s, and that prepare may change then.
func decode(settings any, rules []*analysis.Analyzer, s *Schema, prepare func(root *yaml.Node)) ([]Flag, error) {
	if settings == nil {
		return nil, nil
	}
	root := new(yaml.Node)
	if err := root.Encode(settings); err != nil {
		return nil, err
	}
	mistake := s.validate(root, "")
	if mistake != nil {
		return nil, mistake
	}
	prepare(root)
	flags, mistake := flagsOf(root, rules, "")
	if mistake != nil {
		return nil, mistake
	}
	return flags, nil
}

// DecodeRule is Decode for the plugin of one rule, whose options need not name it.
func DecodeRule(settings any, a *analysis.Analyzer) ([]Flag, error) {
	rules := []*analysis.Analyzer{a}
	s := describe(rules, true)
	delete(s.Properties, "enable")
	delete(s.Properties, "disable")
	delete(s.Properties, "confidence") // these hold for all rules, and this is one of several plugins
	delete(s.Properties, "severity")
	s.Properties["options"] = s.Properties["options"].Properties[a.Name]
	return decode(settings, rules, s, func(root *yaml.Node) {
		for key, value := range pairs(root) {
			if key.Value == "options" { // under the name of the rule, as the settings of all rules have them
				inner := *value
				*value = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: a.Name}, &inner}}
			}
		}
	})
}

// Choice returns the rules that flags enable and disable.
func Choice(flags []Flag, rules []*analysis.Analyzer) (enabled, disabled []string) {
	for _, f := range flags {
		switch {
		case !isRule(rules, f.Name):
		case f.Value == "true":
			enabled = append(enabled, f.Name)
		default:
			disabled = append(disabled, f.Name)
		}
	}
	return enabled, disabled
}

// parse returns the one document in data; nil if it is empty.
func parse(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := dec.Decode(&next); err == nil {
		return nil, &Error{Line: next.Line, Message: "more than one YAML document"}
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	root := doc.Content[0]
	if root.ShortTag() == "!!null" {
		return nil, nil
	}
	return root, nil
}

// syntaxError converts an error of the parser, whose text may have the line.
func syntaxError(name string, err error) error {
	var mistake *Error
	if errors.As(err, &mistake) {
		mistake.File = name
		return mistake
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if n, scanErr := fmt.Sscanf(text, "line %d:", &line); n == 1 && scanErr == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return &Error{File: name, Line: line, Message: text}
}

// flagsOf translates root, which is valid, into flags. Patterns of files start from the folder dir.
func flagsOf(root *yaml.Node, rules []*analysis.Analyzer, dir string) ([]Flag, *Error) {
	var flags []Flag
	add := func(n *yaml.Node, name, value string) { flags = append(flags, Flag{name, value, n.Line}) }
	var wanted lists
	for key, value := range pairs(root) {
		switch key.Value {
		case "enable":
			wanted.enable = value
		case "disable":
			wanted.disable = value
		case "options":
			if err := ruleFlags(value, rules, add); err != nil {
				return nil, err
			}
		case "baseline":
			name := filepath.FromSlash(value.Value)
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			add(key, key.Value, name)
		case "exclude":
			var patterns []string
			for _, item := range value.Content {
				patterns = append(patterns, pathglob.Absolute(dir, item.Value))
			}
			add(key, key.Value, strings.Join(patterns, ","))
		default:
			add(key, key.Value, strings.Join(words(value), ","))
		}
	}
	if err := wanted.mistaken(); err != nil {
		return nil, err
	}
	chosen := wanted.flags(rules)
	if err := contradicted(chosen, flags); err != nil {
		return nil, err
	}
	return append(chosen, flags...), nil
}

// ruleFlags adds the flags of rules.
func ruleFlags(options *yaml.Node, rules []*analysis.Analyzer, add func(n *yaml.Node, name, value string)) *Error {
	for of, values := range pairs(options) {
		for key, value := range pairs(values) {
			f := lookup(rules, of.Value, key.Value)
			var text string
			if l, ok := f.Value.(lister); ok {
				text = strings.Join(elements(l, value), l.Separator())
			} else {
				text = value.Value
			}
			if err := tries(f)(text); err != nil {
				return &Error{Line: value.Line, Key: "options." + of.Value + "." + key.Value, Message: err.Error()}
			}
			add(key, of.Value+"."+key.Value, text)
		}
	}
	return nil
}

// elements returns the items of a list as the flag l takes them.
func elements(l lister, list *yaml.Node) []string {
	k, ok := l.(keyed)
	if !ok {
		return words(list)
	}
	var out []string
	for _, item := range list.Content {
		values := make(map[string][]string)
		for key, value := range pairs(item) {
			values[key.Value] = words(value)
		}
		keys := k.Keys()
		var parts []string
		for _, key := range keys[1:] {
			for _, v := range values[key] {
				parts = append(parts, key+"="+v)
			}
		}
		out = append(out, strings.Join(values[keys[0]], "")+":"+strings.Join(parts, ","))
	}
	return out
}

// words returns the values of n, a list or one value.
func words(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		return []string{n.Value}
	}
	var out []string
	for _, item := range n.Content {
		out = append(out, item.Value)
	}
	return out
}

// pairs returns the keys and values of an object.
func pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// lookup returns a flag of a rule, both of which exist.
func lookup(rules []*analysis.Analyzer, of, name string) *flag.Flag {
	i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == of })
	return rules[i].Flags.Lookup(name)
}

func isRule(rules []*analysis.Analyzer, name string) bool {
	return slices.ContainsFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == name })
}
