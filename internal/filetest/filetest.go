// Package filetest writes the files that tests work on, and counts what is in the source of the project.
package filetest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// Count returns how often pattern matches in the Go files of analyzers and internal, tests apart, for a test in a package
// two folders below the top. Files that start with one of the paths in without, from the top, are left out.
func Count(t *testing.T, pattern string, without ...string) (found int) {
	t.Helper()
	re, top := regexp.MustCompile(pattern), filepath.Join("..", "..")
	for _, dir := range []string{"analyzers", "internal"} {
		err := filepath.WalkDir(filepath.Join(top, dir), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(file, top+string(filepath.Separator)))
			for _, prefix := range without {
				if strings.HasPrefix(name, prefix) {
					return nil
				}
			}
			text, err := os.ReadFile(file)
			found += len(re.FindAll(text, -1))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
