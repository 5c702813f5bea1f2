package main

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

func TestAffected(t *testing.T) {
	t.Parallel()
	user := strings.Replace(deadlock, "package main\n", "package main\n\nimport _ \"example.com/m/lib\"\n", 1)
	dir := filetest.Module(t, map[string]string{
		"lib/lib.go": "package lib\n", "alone/main.go": deadlock, "user/main.go": user, "README.md": "",
		"sub/go.mod": "module example.com/sub\n\ngo 1.26\n", "sub/main.go": deadlock,
	})
	const finding = `.*s\.mu.* \(lockheld/relock\)\n(\t.*\n)*`
	for _, test := range []struct {
		args           string
		stdout, stderr string
		code           int
	}{
		{"lib/lib.go", `^user/main\.go:12:\d+: ` + finding + "$", "", 1},
		{"alone/main.go", `^alone/main\.go:10:\d+: ` + finding + "$", "", 1},
		{"sub/main.go alone/main.go", `^alone/main\.go:10:\d+: ` + finding + `sub/main\.go:10:\d+: ` + finding + "$", "", 1},
		{"", "", `^ctrllint: note: -affected names no files: nothing is analysed\n$`, 0},
		{"README.md gone/x.go", "", `^ctrllint: note: nothing is analysed: no package has README\.md, gone/x\.go\n$`, 0},
		{"README.md alone/main.go", `^alone/main\.go:10:\d+: ` + finding + "$", `^ctrllint: note: no package has README\.md\n$`, 1},
		{"go.mod", `^alone/main\.go:10:\d+: ` + finding + `user/main\.go:12:\d+: ` + finding + "$", "", 1},
		{"./alone", "", `^ctrllint: -affected takes files, .* but \./alone names packages\n$`, 2},
		{"./...", "", `^ctrllint: -affected takes files, .* but \./\.\.\. names packages\n$`, 2},
		{"/nowhere/x.go", "", "no go.mod", 2},
		{"-C lib lib.go", `^\.\./user/main\.go:12:`, "", 1},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := command(t, dir, tool, append([]string{"-affected"}, strings.Fields(test.args)...)...)
			if code != test.code || !matches(test.stdout, stdout) || !matches(test.stderr, stderr) {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s",
					code, test.code, stdout, test.stdout, stderr, test.stderr)
			}
		})
	}
}
