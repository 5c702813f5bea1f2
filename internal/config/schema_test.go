package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

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
