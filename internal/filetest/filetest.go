// Package filetest writes the files that tests work on.
package filetest

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Write returns the files below dir, named with slashes, these contents, and makes the folders that they need. It
// fails t where that cannot be done.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Module writes files into a new folder, which it gives. Without a go.mod among them, they get that of a module
// example.com/m.
func Module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n"}
	maps.Copy(all, files)
	Write(t, dir, all)
	return dir
}
