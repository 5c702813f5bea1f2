//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStandalone(t *testing.T) {
	dir := tree(t, map[string]string{"store/store.go": bug, "clean/clean.go": clean, "quiet/quiet.go": nolint})
	run(t, dir, nil, ctrllint, "./...").wants(t, 1, "store/store.go:19", "lockheld/relock", "!quiet/quiet.go", "!clean/clean.go")
	run(t, dir, nil, ctrllint, "./clean", "./quiet").wants(t, 0, "!lockheld")
	run(t, dir, nil, ctrllint, "./nowhere").wants(t, 2, "nowhere")
}

func TestGoVet(t *testing.T) {
	dir := tree(t, map[string]string{"store/store.go": bug, "clean/clean.go": clean, "quiet/quiet.go": nolint})
	run(t, dir, nil, "go", "vet", "-vettool="+ctrllint, "./...").wants(t, 1, "store/store.go:19", "s.mu (locked at line 17)", "!quiet/quiet.go")
	run(t, dir, nil, "go", "vet", "-vettool="+ctrllint, "-lockheld=false", "./...").wants(t, 0, "!s.mu")
}

func TestFix(t *testing.T) {
	for name, fix := range map[string][]string{
		"ctrllint -fix":      {ctrllint, "-fix", "./..."},
		"go vet -fix":        {"go", "vet", "-vettool=" + ctrllint, "-fix", "./..."},
		"go fix -fixtool":    {"go", "fix", "-fixtool=" + ctrllint, "./..."},
		"ctrllint -fix once": {ctrllint, "-fix", "-startctx", "./loop"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"loop/loop.go": busy})
			run(t, dir, nil, ctrllint, "./...").wants(t, 1, "loop/loop.go:8", "startctx/loop")
			run(t, dir, nil, ctrllint, "-diff", "./...").wants(t, 1, "--- a/loop/loop.go", "-\t\t\tbreak", "+\t\t\treturn")
			if got, err := os.ReadFile(filepath.Join(dir, "loop/loop.go")); err != nil || string(got) != busy {
				t.Errorf("-diff has changed the file (%v)", err)
			}
			run(t, dir, nil, fix[0], fix[1:]...).wants(t, 0)
			must(t, dir, nil, "go", "build", "./...")
			run(t, dir, nil, ctrllint, "./...").wants(t, 0, "!loop.go")
			run(t, dir, nil, ctrllint, "-diff", "./...").wants(t, 0, "!loop.go")
		})
	}
}
