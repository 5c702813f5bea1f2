package kubernetes

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPublished(t *testing.T) {
	mod := `{"Replace": [
		{"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
		{"Old": {"Path": "example.com/fork"}, "New": {"Path": "example.com/other", "Version": "v1.0.0"}}
	]}`
	got, err := published([]byte(mod), "v1.36.3")
	if want := []string{"-replace=k8s.io/api=k8s.io/api@v0.36.3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := published([]byte(mod), "v0.36.3"); err == nil {
		t.Error("a version of another module is accepted")
	}
}

func TestCopyModule(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "module")
	for _, name := range []string{"go.mod", "go.work", "go.work.sum", "go.sum", "vendor/modules.txt", "pkg/a/a.go"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyModule(from, to); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(to, path)
		got = append(got, rel)
		return err
	})
	if want := []string{"go.sum", "pkg/a/a.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
