//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
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
