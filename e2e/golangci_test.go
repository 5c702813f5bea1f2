//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// golangciVersion is that of plugin/golangci-lint-ctrllint/go.mod.
func golangciVersion(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(must(t, filepath.Join(root, "plugin/golangci-lint-ctrllint"), nil, "go", "list", "-m", "-f", "{{.Version}}", "github.com/golangci/golangci-lint/v2"))
}

// TestGolangci builds a golangci-lint with ctrllint in both ways, and runs it.
func TestGolangci(t *testing.T) {
	for name, build := range map[string]func(*testing.T) string{"module": buildModule, "custom": buildCustom} {
		t.Run(name, func(t *testing.T) { golangci(t, build(t)) })
	}
}

// buildModule builds the module that lies in plugin/golangci-lint-ctrllint.
func buildModule(t *testing.T) string {
	out := filepath.Join(t.TempDir(), "golangci-lint-ctrllint")
	must(t, filepath.Join(root, "plugin/golangci-lint-ctrllint"), nil, "go", "build", "-o", out, ".")
	return out
}

// buildCustom has `golangci-lint custom` build one. It clones golangci-lint from its repository: here from a copy that is
// made of the module, so that the test needs no more than a module proxy.
func buildCustom(t *testing.T) string {
	stock := os.Getenv("GOLANGCI_LINT")
	if stock == "" {
		stock = "golangci-lint"
	}
	if _, err := exec.LookPath(stock); err != nil {
		t.Fatalf("GOLANGCI_LINT names no golangci-lint: %v", err)
	}
	version := golangciVersion(t)
	clone := t.TempDir()
	source := strings.TrimSpace(must(t, filepath.Join(root, "plugin/golangci-lint-ctrllint"), nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/golangci/golangci-lint/v2"))
	must(t, clone, nil, "cp", "-r", source+"/.", ".")
	must(t, clone, nil, "chmod", "-R", "u+w", ".")
	must(t, clone, nil, "git", "init", "-q")
	must(t, clone, nil, "git", "add", "-A")
	must(t, clone, nil, "git", "-c", "user.name=e2e", "-c", "user.email=e2e@example.com", "commit", "-q", "-m", version)
	must(t, clone, nil, "git", "tag", version)

	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{".custom-gcl.yml": "version: " + version + "\nname: custom-gcl\ndestination: .\nplugins:\n" +
		"  - module: github.com/ctrllint/ctrllint\n    import: github.com/ctrllint/ctrllint/plugin\n    path: " + root + "\n"})
	must(t, dir, []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + clone + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/golangci/golangci-lint.git",
	}, stock, "custom", "-v")
	return filepath.Join(dir, "custom-gcl")
}

// settings is a .golangci.yml with the linters and the settings of one of them.
func settings(linter, settings string) string {
	return `version: "2"
linters:
  default: none
  enable: [` + linter + `, nolintlint]
  settings:
    nolintlint: {allow-unused: false}
    custom:
      ` + linter + `:
        type: module
` + settings
}

func golangci(t *testing.T, binary string) {
	// Each name silences in each setup, and nolintlint, which complains of comments that silence nothing, has nothing to say.
	suite := strings.Replace(nolint, "//nolint:lockheld", "//nolint:ctrllint", 1)
	files := map[string]string{"store/store.go": bug, "quiet/quiet.go": nolint}
	for name, test := range map[string]struct {
		config string
		code   int
		texts  []string
	}{
		"suite":         {settings("ctrllint", ""), 1, []string{"store/store.go:19", "s.mu (locked at line 17)", "(lockheld/relock)", "(ctrllint)", "!quiet/quiet.go", "!still/still.go"}},
		"rule":          {settings("lockheld", ""), 1, []string{"store/store.go:19", "(lockheld)", "!quiet/quiet.go", "!still/still.go"}},
		"other rule":    {settings("startctx", ""), 0, []string{"!store.go"}},
		"rule disabled": {settings("ctrllint", "        settings: {disable: [lockheld]}\n"), 0, []string{"!store.go:19"}},
		"unknown key":   {settings("ctrllint", "        settings: {disabled: [lockheld]}\n"), 3, []string{`unknown key "disabled"`}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filetest.Module(t, files)
			if test.code != 0 {
				filetest.Write(t, dir, map[string]string{"still/still.go": suite}) // unused where the rule does not run
			}
			filetest.Write(t, dir, map[string]string{".golangci.yml": test.config})
			run(t, dir, []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}, binary, "run", "--allow-parallel-runners", "./...").wants(t, test.code, test.texts...)
		})
	}
}
