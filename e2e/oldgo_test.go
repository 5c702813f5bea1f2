//go:build e2e

package e2e

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestOlderGo analyses modules with the toolchains of Go releases that are too old to build ctrllint: the binary that a newer
// one has built is enough. The toolchains come from the module proxy.
func TestOlderGo(t *testing.T) {
	for _, release := range []string{"1.24.9", "1.25.5"} {
		t.Run(release, func(t *testing.T) {
			dir := filetest.Module(t, map[string]string{
				"go.mod":         "module example.com/m\n\ngo " + release + "\n",
				"store/store.go": bug,
			})
			env := []string{"GOTOOLCHAIN=go" + release}
			run(t, dir, env, "go", "version").wants(t, 0, "go"+release)
			run(t, dir, env, ctrllint, "./...").wants(t, 1, "lockheld/relock")
			run(t, dir, env, "go", "vet", "-vettool="+ctrllint, "./...").wants(t, 1, "s.mu (locked at line 17)")
		})
	}
}
