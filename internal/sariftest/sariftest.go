// Package sariftest checks logs against the published schema of SARIF 2.1.0.
package sariftest

import (
	"bytes"
	_ "embed" // for the schema
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed testdata/sarif-schema-2.1.0.json
var schemaText []byte

const schemaID = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Valid fails the test where log does not obey the schema.
func Valid(t *testing.T, log []byte) {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaID, text); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, log)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
	// That the schema is in force is seen by what it refuses.
	if err := schema.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"results": []any{}}}}); err == nil {
		t.Error("the schema accepts a run without a tool")
	}
}
