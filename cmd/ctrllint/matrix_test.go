package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestMatrix runs the program over several builds. The standard library is compiled for another platform the first
// time.
func TestMatrix(t *testing.T) {
	t.Parallel()
	files := func(config string) map[string]string {
		return map[string]string{
			"main.go": "package main\n", "main_linux.go": "package main\n", "main_windows.go": deadlock,
			"e2e/main.go": "//go:build e2e\n\n" + deadlock, "e2e/p.go": "package main\n",
			"broken/p.go":   "//go:build windows\n\npackage p\n\nvar X int = \"\"\n",
			".ctrllint.yml": config,
		}
	}
	const (
		windows = `main_windows\.go:10:.* \(lockheld/relock\) \[windows/amd64\]\n(\t.*\n)*`
		e2e     = `e2e/main\.go:12:.* \(lockheld/relock\) \[host\+tags=e2e\]\n(\t.*\n)*`
	)
	for _, test := range []struct {
		name           string
		config, args   string
		stdout, stderr string
		code           int
	}{
		{"none", "", ". ./e2e", "", "", 0},
		{"one", "", "-matrix linux/amd64 ./...", "", "", 0},
		{"two", "", "-matrix linux/amd64,windows/amd64 . ./e2e", "^" + windows + "$", "", 1},
		{"file", "matrix: [linux/amd64, tags=e2e, windows/amd64]", ". ./e2e", "^" + strings.Replace(e2e, `host\+`, "", 1) + windows + "$", "", 1},
		{"file, but given", "matrix: [linux/amd64, tags=e2e]", "-matrix linux/amd64 ./e2e", "", "", 0},
		{"with tags", "", "-tags e2e -matrix linux/amd64,host ./e2e", `^e2e/main\.go:12:.* \(lockheld/relock\)\n(\t.*\n)*$`, "", 1},
		{"json", "format: json", "-matrix host,windows/amd64 .", `^\{"rule":.*,"file":"main_windows\.go".*,"builds":\["windows/amd64"\]\}\n$`, "", 1},
		{"sarif", "", "-format sarif -matrix host,windows/amd64 .", `(?s)"builds":\s*\[\s*"windows/amd64"\s*\]`, "", 1},
		{"failure", "", "-matrix host,windows/amd64 ./broken", "", `^ctrllint: (.*\[host\]\nctrllint: )?example\.com/m/broken: broken/p\.go:5:13: cannot use .* \[windows/amd64\]\n$`, 2},
		{"unknown platform", "", "-matrix plan10/amd64", "", `^ctrllint: unsupported GOOS/GOARCH pair plan10/amd64 \(go tool dist list names those there are\) \[plan10/amd64\]\n$`, 2},
		{"bad build", "", "-matrix linux", "", `^ctrllint: invalid value "linux" for flag -matrix: bad build "linux"`, 2},
		{"bad build in the file", "matrix:\n- linux/amd64\n- cgo", "", "", `^ctrllint: \.ctrllint\.yml:3: matrix\[1\]: bad build "cgo"`, 2},
		{"the same build twice in the file", "matrix:\n- cgo=on\n- cgo=on", "", "", `^ctrllint: \.ctrllint\.yml:1: matrix: .*twice`, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := command(t, filetest.Module(t, files(test.config)), tool, strings.Fields(test.args)...)
			if code != test.code || !matches(test.stdout, stdout) || !matches(test.stderr, stderr) {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s",
					code, test.code, stdout, test.stdout, stderr, test.stderr)
			}
		})
	}
}

// A comment that silences a finding of one build is needed, though it silences nothing in the others.
func TestMatrixSuppression(t *testing.T) {
	t.Parallel()
	const quiet = "package main\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc twice() {\n\tmu.Lock()\n\tagain() //nolint:lockheld // tried\n\tmu.Unlock()\n}\n"
	dir := filetest.Module(t, map[string]string{
		"main.go":       quiet + "\nfunc main() { twice() }\n",
		"again.go":      "//go:build e2e\n\npackage main\n\nfunc again() { mu.Lock(); mu.Unlock() }\n",
		"harmless.go":   "//go:build !e2e\n\npackage main\n\nfunc again() {}\n",
		"other/main.go": "package main\n\nfunc main() {} //nolint:lockheld // nothing\n",
	})
	const everywhere = `other/main\.go:3:\d+: .* \(suppression/unused\)\n(\t.*\n)*`
	for args, want := range map[string]string{
		"":                      `^main\.go:9:\d+: .* \(suppression/unused\)\n(\t.*\n)*` + everywhere + "$",
		"-tags e2e":             "^" + everywhere + "$",
		"-matrix host,tags=e2e": "^" + everywhere + "$",
	} {
		if stdout, stderr, code := command(t, dir, tool, strings.Fields(args)...); code != 1 || stderr != "" || !matches(want, stdout) {
			t.Errorf("%q: exit code %d, stderr %q, stdout %q, want %s", args, code, stderr, stdout, want)
		}
	}
}

// TestModules runs the program at the root of trees with several modules.
func TestModules(t *testing.T) {
	t.Parallel()
	goMod := func(name string) string { return "module example.com/" + name + "\n\ngo 1.26\n" }
	const finding = `^b/main\.go:10:.* \(lockheld/relock\)\n(\t.*\n)*$`
	for _, test := range []struct {
		name           string
		root, work     string
		args           string
		stdout, stderr string
		code           int
	}{
		{"workspace", "", "go 1.26\n\nuse ./a\nuse ./b\n", "", finding, `^ctrllint: note: not analysed, because they are separate modules: c \(run ctrllint in them, or list them in a go\.work\)\n$`, 1},
		{"whole workspace", "", "go 1.26\n\nuse ./a\nuse ./b\nuse ./c\n", "./...", finding, "", 1},
		{"clean module", "", "go 1.26\n\nuse ./a\nuse ./b\n", "./a/...", "", "", 0},
		{"from a module", "", "go 1.26\n\nuse ./a\nuse ./b\n", "-C b", `^main\.go:10:`, "", 1},
		{"nested modules", goMod("m"), "", "", "", `^ctrllint: note: .*: a, b, c \(run`, 0},
		{"a package beside nested modules", goMod("m"), "", ".", "", "", 0},
		{"nested modules in a workspace", goMod("m"), "go 1.26\n\nuse .\nuse ./b\n", "", finding, `^ctrllint: note: .*: a, c \(run`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"p.go": clean, "a/go.mod": goMod("a"), "a/p.go": clean, "b/go.mod": goMod("b"), "b/main.go": deadlock, "c/go.mod": goMod("c"), "c/p.go": clean,
			}
			dir := filetest.Module(t, files)
			if test.root == "" {
				if err := os.Remove(dir + "/go.mod"); err != nil {
					t.Fatal(err)
				}
			}
			if test.work != "" {
				if err := os.WriteFile(dir+"/go.work", []byte(test.work), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(tool, strings.Fields(test.args)...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=", "PWD="+dir)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run() // the exit code is looked at
			if code := cmd.ProcessState.ExitCode(); code != test.code || !matches(test.stdout, stdout.String()) || !matches(test.stderr, unsummed(stderr.String())) {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s",
					code, test.code, stdout.String(), test.stdout, stderr.String(), test.stderr)
			}
		})
	}
}
