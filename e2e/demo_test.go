//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// demoCopy copies the operator of `make demo`: the go command caches by folder what go vet has said, of a package also what it said, nothing,
// when only its facts were asked for.
func demoCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, dir, nil, "cp", "-r", filepath.Join(root, "demo")+"/.", ".")
	return dir
}

// TestMakeDemo does what somebody does who has just cloned the repository, and then what the demo says to try next. What is found there
// TestDemo knows, and TestSameFindings that golangci-lint finds the same.
func TestMakeDemo(t *testing.T) {
	const findings = 10
	demo := run(t, root, nil, "make", "--no-print-directory", "demo") // make e2e is a make, too
	demo.wants(t, 0, "(lockheld/blocking)", "(unboundedsync/neverstops)", "(expectttl/nowayout)", "(finalizerorder/removedbeforedelete)", "(startctx/ignored)", "(startctx/loop)", "(cachemutation/write)")
	if n := len(regexp.MustCompile(`(?m)^\S+:\d+:\d+: .* \(\w+/\w+\)$`).FindAllString(demo.out, -1)); n != findings {
		t.Errorf("%d findings, want %d", n, findings)
	}
	_, next, _ := strings.Cut(demo.out, "Next: ")
	said := map[string]result{
		"bin/ctrllint explain lockheld/blocking":   {"lockheld/blocking", 0},
		"bin/ctrllint -C demo -fix -diff ./...":    {"--- a/sweeper/sweeper.go", 1},
		"bin/ctrllint -C demo -format sarif ./...": {`"codeFlows"`, 1},
	}
	before := readFile(t, filepath.Join(root, "demo/sweeper/sweeper.go"))
	for command, want := range said {
		if !strings.Contains(next, command+"  ") {
			t.Errorf("the demo does not say %s, but\n%s", command, next)
		}
		run(t, root, nil, "sh", "-c", command).wants(t, want.code, want.out)
	}
	if n := strings.Count(strings.TrimSpace(next), "\n") + 1; n != len(said) {
		t.Errorf("%d lines about what is next, want %d", n, len(said))
	}
	if readFile(t, filepath.Join(root, "demo/sweeper/sweeper.go")) != before {
		t.Error("-diff has changed a file")
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
