package copytree_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/copytree"
)

func TestCopy(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"go.mod", "a/a.go", "a/skipped.go", "skipped/b.go"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		// As in the module cache, where nothing can be written to.
		if err := os.WriteFile(path, []byte(name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.go", filepath.Join(from, "a", "link.go")); err != nil {
		t.Fatal(err)
	}
	skip := func(rel string, _ fs.DirEntry) bool {
		return rel == "skipped" || rel == filepath.Join("a", "skipped.go")
	}
	if err := copytree.Copy(from, to, skip); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(to, path)
		got = append(got, filepath.ToSlash(rel))
		return err
	})
	if want := []string{"a/a.go", "a/link.go", "go.mod"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %q, %v, want %q", got, err, want)
	}
	if data, err := os.ReadFile(filepath.Join(to, "a", "link.go")); err != nil || string(data) != "a/a.go" {
		t.Errorf("through the link: got %q, %v", data, err)
	}
	if link, err := os.Readlink(filepath.Join(to, "a", "link.go")); err != nil || link != "a.go" {
		t.Errorf("the link is %q, %v", link, err)
	}
	if err := os.WriteFile(filepath.Join(to, "a", "a.go"), []byte("edited"), 0o644); err != nil {
		t.Errorf("the copy cannot be edited: %v", err)
	}
	if err := copytree.Copy(filepath.Join(from, "missing"), to, skip); err == nil {
		t.Error("a tree that is not there is copied")
	}
}
