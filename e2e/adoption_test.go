//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/sariftest"
)

// TestSARIF validates a real log against the published schema.
func TestSARIF(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug, "quiet/quiet.go": nolint, "loop/loop.go": busy})
	r := run(t, dir, nil, ctrllint, "-format", "sarif", "./...")
	r.wants(t, 1, `"lockheld/relock"`, `"codeFlows"`, `"fixes"`, `"suppressions"`, `"store/store.go"`)
	sariftest.Valid(t, []byte(r.out))
}

// TestBaseline lives through what a repository lives through that adopts ctrllint with findings in it.
func TestBaseline(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug})
	base := []string{"-baseline", ".ctrllint-baseline.jsonl"}
	with := func(more ...string) []string { return append(append([]string{}, base...), more...) }

	run(t, dir, nil, ctrllint, "./...").wants(t, 1, "lockheld/relock")
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 2, "no such file")
	run(t, dir, nil, ctrllint, with("-write-baseline", "./...")...).wants(t, 0, "1 finding written")
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 0, "!lockheld")

	filetest.Write(t, dir, map[string]string{"store/store.go": "// Package store has moved lines.\n" + bug})
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 0, "!lockheld")
	filetest.Write(t, dir, map[string]string{"loop/loop.go": busy})
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 1, "startctx/loop", "!lockheld")
	run(t, dir, nil, ctrllint, with("-write-baseline", "./...")...).wants(t, 1, "startctx/loop") // it never takes in more
	run(t, dir, nil, ctrllint, with("-fix", "./...")...).wants(t, 0, "1 finding")

	filetest.Write(t, dir, map[string]string{"store/store.go": strings.Replace(bug, "2 * s.get(key)", "2 * s.items[key]", 1)})
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 0, "no longer found")
	run(t, dir, nil, ctrllint, with("-write-baseline", "./...")...).wants(t, 0, "1 entry removed")
	filetest.Write(t, dir, map[string]string{"store/store.go": bug})
	run(t, dir, nil, ctrllint, with("./...")...).wants(t, 1, "lockheld/relock")
}

// TestNewFrom looks at what a branch brings.
func TestNewFrom(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug})
	env := []string{"GIT_AUTHOR_NAME=e2e", "GIT_AUTHOR_EMAIL=e2e@example.com", "GIT_COMMITTER_NAME=e2e", "GIT_COMMITTER_EMAIL=e2e@example.com"}
	must(t, dir, env, "git", "init", "-q", "-b", "main")
	must(t, dir, env, "git", "add", "-A")
	must(t, dir, env, "git", "commit", "-q", "-m", "before")
	must(t, dir, env, "git", "checkout", "-q", "-b", "change")
	run(t, dir, nil, ctrllint, "-new-from", "main", "./...").wants(t, 0, "!lockheld")
	filetest.Write(t, dir, map[string]string{"loop/loop.go": busy})
	run(t, dir, nil, ctrllint, "-new-from", "main", "./...").wants(t, 1, "startctx/loop", "!lockheld")
}

// TestSuppression silences a finding in the command and in go vet; golangci-lint's turn is in TestGolangci.
func TestSuppression(t *testing.T) {
	staticcheck := strings.Replace(bug, "\treturn 2", "\t//lint:ignore ctrllint/lockheld tried out\n\treturn 2", 1)
	unused := strings.Replace(nolint, "2 * s.get(key)", "2 * s.items[key]", 1)
	bare := strings.Replace(nolint, " // tried out", "", 1)
	for name, test := range map[string]struct {
		source string
		code   int
		text   string
	}{
		"nolint":      {nolint, 0, "!s.mu"},
		"lint:ignore": {staticcheck, 0, "!s.mu"},
		"unused":      {unused, 1, "the comment suppresses nothing"},
		"no reason":   {bare, 1, "gives no reason"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filetest.Module(t, map[string]string{"store/store.go": test.source})
			run(t, dir, nil, ctrllint, "./...").wants(t, test.code, test.text)
			run(t, dir, nil, "go", "vet", "-vettool="+ctrllint, "./...").wants(t, test.code, test.text)
		})
	}
}

// TestSettings reads one file in all front ends of the go command.
func TestSettings(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug, "loop/loop.go": busy, ".ctrllint.yml": "disable: [startctx]\n"})
	run(t, dir, nil, ctrllint, "./...").wants(t, 1, "lockheld/relock", "!startctx")
	flags := strings.Fields(must(t, dir, nil, ctrllint, "flags"))
	args := append([]string{"vet", "-vettool=" + ctrllint}, append(flags, "./...")...)
	run(t, dir, nil, "go", args...).wants(t, 1, "s.mu (locked at line 17)", "!does not leave the loop")
	filetest.Write(t, dir, map[string]string{".ctrllint.yml": "disable:\n- startctxt\n"})
	run(t, dir, nil, ctrllint, "./...").wants(t, 2, ".ctrllint.yml:2:")
}

// TestMatrix analyses three builds in one run.
func TestMatrix(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": "//go:build slow\n\n" + bug, "store/doc.go": "package store\n"})
	run(t, dir, nil, ctrllint, "./...").wants(t, 0, "!lockheld")
	run(t, dir, nil, ctrllint, "-matrix", "host,tags=slow,windows/amd64+cgo=off", "./...").wants(t, 1, "store/store.go:21", "[tags=slow]")
}

// TestWorkspace analyses the modules of a workspace, and says what it leaves out without one.
func TestWorkspace(t *testing.T) {
	dir := t.TempDir()
	for _, m := range []string{"a", "b"} {
		filetest.Write(t, dir, map[string]string{
			m + "/go.mod": "module example.com/" + m + "\n\ngo 1.26\n", m + "/store/store.go": bug,
		})
	}
	filetest.Write(t, dir, map[string]string{"go.work": "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n"})
	run(t, dir, []string{"GOWORK="}, ctrllint, "./...").wants(t, 1, "a/store/store.go:19", "b/store/store.go:19")
	if err := os.Remove(filepath.Join(dir, "go.work")); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"go.mod": "module example.com/root\n\ngo 1.26\n", "p.go": "package root\n"})
	run(t, dir, nil, ctrllint, "./...").wants(t, 0, "not analysed, because they are separate modules: a, b", "!store.go")
}
