// Package source reads the files that findings are in, for what is shown of them.
package source

import (
	"os"
	"path/filepath"
	"strings"
)

// Files are the files below and around a directory, each read once. The zero value is those of the process' working
// directory. Not for use by several goroutines at once.
type Files struct {
	Dir string // what names are relative to

	lines map[string][]string
}

// Path returns where the file with that name is.
func (f *Files) Path(name string) string {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.Dir, path)
}

// Line is line n of the file, counted from 1, without its end. It is false if there is no such line, or no such file.
func (f *Files) Line(name string, n int) (string, bool) {
	lines, read := f.lines[name]
	if !read {
		if data, err := os.ReadFile(f.Path(name)); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		if f.lines == nil {
			f.lines = make(map[string][]string)
		}
		f.lines[name] = lines
	}
	if n < 1 || n > len(lines) {
		return "", false
	}
	return strings.TrimSuffix(lines[n-1], "\r"), true
}

// Root returns the top folder of the repository that dir belongs to: the first one upwards that has a .git in it. It
// is dir itself where there is none. The result is absolute.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return dir, nil
		}
		at = up
	}
}

// Below returns the name, with slashes, of the file relative to root, and whether it lies there.
func (f *Files) Below(root, name string) (string, bool) {
	path, err := filepath.Abs(f.Path(name))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
