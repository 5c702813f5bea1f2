//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/ctrllint/ctrllint/analyzers"
)

// TestRelease builds what .goreleaser.yaml says, on one architecture for each system, and looks for the files that go
// into the archives.
func TestRelease(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Version int
		Builds  []struct {
			Main                              string
			Env, Goos, Goarch, Flags, Ldflags []string
		}
		Archives []struct{ Files []string }
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	if config.Version != 2 || len(config.Builds) != 1 || len(config.Builds[0].Goarch) == 0 || len(config.Archives) != 1 {
		t.Fatalf("not what is expected of the configuration: %+v", config)
	}
	b := config.Builds[0]
	for _, goos := range b.Goos {
		args := append([]string{"build", "-o", filepath.Join(t.TempDir(), "ctrllint"), "-ldflags", b.Ldflags[0]}, b.Flags...)
		must(t, root, append(b.Env, "GOOS="+goos, "GOARCH="+b.Goarch[0]), "go", append(args, b.Main)...)
	}
	for _, name := range config.Archives[0].Files {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestVersions holds what tells users which version to take to the newest one that the changelog has, and the versions of
// golangci-lint to each other.
func TestVersions(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`).FindStringSubmatch(content(t, "CHANGELOG.md"))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	for name, texts := range map[string][]string{
		"README.md":       {"rev: v" + newest[1], "uses: ctrllint/ctrllint@v" + newest[1]},
		".custom-gcl.yml": {"version: v" + newest[1], "version: " + golangciVersion(t)},
		"plugin/golangci-lint-ctrllint/README.md": {"github.com/ctrllint/ctrllint@v" + newest[1], "golangci-lint/v2@" + golangciVersion(t)},
		".ci/run": {"golangci_version=" + golangciVersion(t)},
	} {
		for _, text := range texts {
			if !strings.Contains(content(t, name), text+"\n") {
				t.Errorf("%s: no line ends with %q", name, text)
			}
		}
	}
}

// TestForms holds the rules that the form for wrong findings offers to those that there are.
func TestForms(t *testing.T) {
	var form struct {
		Body []struct {
			ID         string
			Attributes struct{ Options []string }
		}
	}
	if err := yaml.Unmarshal([]byte(content(t, ".github/ISSUE_TEMPLATE/wrong-finding.yml")), &form); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, a := range analyzers.All() {
		want = append(want, a.Name)
	}
	for _, field := range form.Body {
		if field.ID == "rule" {
			got = field.Attributes.Options
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the form has the rules %q, want %q", got, want)
	}
}

// content is what is in a file of the repository.
func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
