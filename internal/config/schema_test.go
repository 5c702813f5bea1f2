package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/ctrllint/ctrllint/analyzers"
)

var update = flag.Bool("update", false, "write the schema")

const schemaFile = "../../docs/ctrllint.schema.json"

// The schema in the repository is that of the settings. `make docs` writes it.
func TestJSONSchema(t *testing.T) {
	want, err := JSONSchema(analyzers.All())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from what the settings are (%v): run make docs", schemaFile, err)
	}
}

// Every option of every rule is in the schema, objects are closed, and lists say what they hold.
func TestJSONSchemaIsWhole(t *testing.T) {
	text, err := JSONSchema(analyzers.All())
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties struct {
			Options struct {
				Properties map[string]struct {
					Properties           map[string]any
					AdditionalProperties *bool
				}
			}
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, a := range analyzers.All() {
		of, ok := s.Properties.Options.Properties[a.Name]
		if !ok || of.AdditionalProperties == nil || *of.AdditionalProperties {
			t.Errorf("%s is not there, or takes any key", a.Name)
		}
		a.Flags.VisitAll(func(f *flag.Flag) {
			if of.Properties[f.Name] == nil {
				t.Errorf("%s has no option %s", a.Name, f.Name)
			}
		})
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	closed(t, "", whole)
}

// closed checks the parts of a schema.
func closed(t *testing.T, at string, s any) {
	switch s := s.(type) {
	case map[string]any:
		switch s["type"] {
		case "object":
			if s["additionalProperties"] != false {
				t.Errorf("%s takes any key", at)
			}
		case "array":
			if s["items"] == nil {
				t.Errorf("%s is a list of anything", at)
			}
		}
		for key, value := range s {
			closed(t, at+"/"+key, value)
		}
	case []any:
		for _, value := range s {
			closed(t, at, value)
		}
	}
}

// The JSON schema and the program agree about what settings may look like. What only the program can tell, such as
// whether a pattern is one, is not in the cases.
func TestJSONSchemaAgrees(t *testing.T) {
	text, err := JSONSchema(testRules())
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), ".ctrllint.yml")
	for content, ok := range map[string]bool{
		"{}": true,
		"{enable: [alpha, beta], tests: true, generated: false, tags: [e2e], matrix: [host], format: sarif, baseline: x}": true,
		"{disable: [], exclude: []}":                                                        true,
		"options: {alpha: {io: true, depth: '3', blocks: [a.B]}, beta: {}}":                 true,
		"options: {beta: {types: [{type: a.B, expect: [E], delete: [D], satisfied: [S]}]}}": true,

		"[]":                                   false,
		"nope: 1":                              false,
		"tests: 1":                             false,
		"tests: 'true'":                        false,
		"tests: null":                          false,
		"enable: []":                           false,
		"enable: [gamma]":                      false,
		"enable: alpha":                        false,
		"{enable: [alpha], disable: [beta]}":   true,
		"options: {gamma: {}}":                 false,
		"options: {alpha: {oi: true}}":         false,
		"options: {alpha: {io: 'true'}}":       false,
		"options: {alpha: {blocks: a.B}}":      false,
		"options: {beta: {types: [a.B]}}":      false,
		"options: {beta: {types: [{x: [y]}]}}": false,
		"options: {beta: {types: [{type: a.B, expect: E}]}}": false,
		"tags: [1]":   false,
		"format: xml": false,
	} {
		write(t, name, content)
		_, loadErr := Load(name, testRules())
		var value any
		if err := yaml.Unmarshal([]byte(content), &value); err != nil {
			t.Fatal(err)
		}
		schemaErr := compiled.Validate(value)
		if (loadErr == nil) != ok || (schemaErr == nil) != ok {
			t.Errorf("%s: the program says %v, the schema says %v, want ok: %t", content, loadErr, schemaErr, ok)
		}
	}
}
