//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestControllerGen holds apimarkers/unknown to the schema that controller-gen makes: a field whose marker is reported
// lacks the validation, as does one whose marker is no line above it. The version is the newest whose markers
// apimarkers knows.
func TestControllerGen(t *testing.T) {
	words, err := os.ReadFile(filepath.Join(root, "internal", "markers", "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(words), "\n")
	version := header[strings.LastIndex(header, " ")+1:]
	dir := filepath.Join(root, "testdata")
	crd := run(t, dir, nil, "go", "run", "sigs.k8s.io/controller-tools/cmd/controller-gen@"+version,
		"crd", "paths=./apimarkers/controllergen", "output:crd:stdout")
	crd.wants(t, 0, "controller-gen.kubebuilder.io/version: "+version)
	for field, want := range map[string]bool{
		"known": true, "above": true, "unknown": false, "otherCase": false, "withoutPlus": false, "block": false, "behind": false,
	} {
		schema := regexp.MustCompile(`(?ms)^ +` + field + `:\n.*?type: integer$`).FindString(crd.out)
		if schema == "" || strings.Contains(schema, "minimum: 1") != want {
			t.Errorf("%s: want a minimum: %v, have %q", field, want, schema)
		}
	}
	run(t, dir, nil, ctrllint, "-nursery", "-only", "apimarkers", "./apimarkers/controllergen").wants(t, 1,
		"controller-gen does not know +kubebuilder:Minimum,", "controller-gen does not know +kubebuilder:validation:minimum,",
		"without a plus sign kubebuilder:validation:Minimum is part of the description")
}
