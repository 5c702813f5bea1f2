package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/deps"
	"github.com/ctrllint/ctrllint/internal/matrix"
	"github.com/ctrllint/ctrllint/internal/pathglob"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Formats are the values of the key and the flag format.
var Formats = []string{"text", "json", "sarif", "github", "html", "junit", "checkstyle", "codequality"}

// SchemaID is the address of the JSON schema.
const SchemaID = "https://raw.githubusercontent.com/ctrllint/ctrllint/main/docs/ctrllint.schema.json"

// outside are the keys for the command only, with the reason why a plugin of golangci-lint does not have them.
var outside = map[string]string{
	"exclude":  "golangci-lint excludes files itself (linters.exclusions.paths)",
	"tags":     "golangci-lint has its own build tags (run.build-tags)",
	"matrix":   "golangci-lint analyses one build per run",
	"baseline": "golangci-lint has its own option for new findings (issues.new-from-merge-base)",
	"format":   "golangci-lint prints the findings (output.formats)",
}

// describe returns the schema of settings, of a file or of a plugin of golangci-lint.
func describe(rules []*analysis.Analyzer, plugin bool) *Schema {
	boolean := func(text string) *Schema { return &Schema{Type: "boolean", Description: text} }
	list := func(text string, items *Schema) *Schema {
		return &Schema{Type: "array", Description: text, Items: items}
	}
	options := &Schema{Type: "object", Description: "options of rules: -RULE.OPTION on the command line", rules: true, Properties: map[string]*Schema{}}
	for _, a := range rules {
		of := &Schema{Type: "object", Description: "options of " + a.Name, Properties: map[string]*Schema{}}
		a.Flags.VisitAll(func(f *flag.Flag) { of.Properties[f.Name] = option(f) })
		options.Properties[a.Name] = of
	}
	name := &Schema{Type: "string", Enum: Names(rules)}
	s := &Schema{Type: "object", Properties: map[string]*Schema{
		"enable":    {Type: "array", Description: "run only these rules and checks; a check in enable or disable takes precedence over its rule", Items: name, MinItems: 1},
		"disable":   list("run all rules and checks except these; together with enable, all that it names except these", name),
		"options":   options,
		"tests":     boolean("also report in _test.go files and in code that imports a test framework"),
		"generated": boolean("also report in generated files"),
		"nursery":   boolean("also report the nursery: checks that are not yet right often enough"),
		"deps": {Type: "string", Description: "which dependencies are analysed from source: those without built-in knowledge, none, or all modules",
			Enum: deps.Policies},
		"confidence": {Type: "string", Description: "for rules with a confidence: report possible findings as well, or only certain ones", Enum: rule.Confidences},
		"severity":   {Type: "string", Description: "report warnings as well, or only errors", Enum: rule.Severities},
	}}
	if plugin {
		s.not = outside
		return s
	}
	s.Properties["exclude"] = list("report nothing in these files and folders: patterns relative to the folder of this file; ** is any number of folders",
		&Schema{Type: "string", check: checkExclude})
	s.Properties["tags"] = list("build tags", &Schema{Type: "string", check: noComma})
	s.Properties["matrix"] = list("builds to analyse, as linux/amd64, tags=e2e or windows/amd64+cgo=off", &Schema{Type: "string", check: matrix.Check})
	s.Properties["baseline"] = &Schema{Type: "string", Description: "report only findings that are not in this file; relative to the folder of the settings file", check: notEmpty}
	s.Properties["format"] = &Schema{Type: "string", Description: "how findings are printed", Enum: Formats}
	return s
}

// option describes the value of a flag of a rule.
func option(f *flag.Flag) *Schema {
	s := &Schema{Type: "string", Description: f.Usage}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		s.Type = "boolean"
		return s
	}
	l, ok := f.Value.(lister)
	if !ok {
		s.check = tries(f)
		return s
	}
	s.Type = "array"
	if k, ok := f.Value.(keyed); ok {
		keys := k.Keys()
		s.Items = &Schema{Type: "object", Properties: map[string]*Schema{keys[0]: {Type: "string", check: plainWord}}, Required: keys[:1]}
		for _, key := range keys[1:] {
			s.Items.Properties[key] = &Schema{Type: "array", Items: &Schema{Type: "string", check: plainWord}}
		}
		return s
	}
	s.Items = &Schema{Type: "string", check: func(v string) error {
		if strings.Contains(v, l.Separator()) {
			return fmt.Errorf("%q contains %q: want one value per item", v, l.Separator())
		}
		return tries(f)(v)
	}}
	return s
}

// A lister is the value of a flag that is a list in the settings, and has separators on the command line.
type lister interface {
	flag.Value
	Separator() string
}

// A keyed lister has elements with keys: the value of the first, a colon, and KEY=VALUE of the others, separated by
// commas.
type keyed interface {
	lister
	Keys() []string
}

// tries returns whether a value can be set, without a change of the flag.
func tries(f *flag.Flag) func(string) error {
	return func(v string) error {
		old := f.Value.String()
		err := f.Value.Set(v)
		if back := f.Value.Set(old); err == nil {
			err = back
		}
		return err
	}
}

func checkExclude(pattern string) error {
	if err := pathglob.Check(pattern); err != nil {
		return err
	}
	if strings.HasPrefix(pattern, "/") || pattern == ".." || strings.HasPrefix(pattern, "../") {
		return fmt.Errorf("pattern %q leads out of the folder of this file", pattern)
	}
	return nil
}

func noComma(tag string) error {
	if tag == "" || strings.ContainsAny(tag, ", ") {
		return fmt.Errorf("%q is not a build tag: want one per item", tag)
	}
	return nil
}

func notEmpty(v string) error {
	if v == "" {
		return errors.New("an empty name")
	}
	return nil
}

func plainWord(v string) error {
	if v == "" || strings.ContainsAny(v, ":;,= ") {
		return fmt.Errorf("%q is not a name", v)
	}
	return nil
}

// JSONSchema returns the JSON schema of a file of settings for rules.
func JSONSchema(rules []*analysis.Analyzer) ([]byte, error) {
	s := describe(rules, false)
	s.Meta, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", SchemaID, "settings of ctrllint (.ctrllint.yml)"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return b.Bytes(), err
}
