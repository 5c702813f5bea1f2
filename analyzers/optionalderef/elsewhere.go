package optionalderef

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// elsewhere reports whether code of the module that is no part of p may compare or set the field: that of another
// command, such as one with the webhooks. No fact leads from there to p, so its files are searched for the name of the
// field, as text: each that imports the package of the field, and has its name where it is compared, assigned, set in a
// literal, or passed on. Files that are not at hand say nothing.
func elsewhere(p *link.Program[Part], f *Field) bool {
	api := f.Struct[:strings.LastIndexByte(f.Struct, '.')]
	linked := map[string]bool{}
	root := ""
	for _, s := range p.Packages {
		linked[s.Dir] = true
		if s.Path == api {
			root = moduleOf(s.Dir)
		}
	}
	if root == "" {
		return false
	}
	imported, name := []byte(`"`+api+`"`), regexp.MustCompile(`\b`+f.Name+`\b(\s*(==|!=|=|:)|[,)])`)
	found := false
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || found:
			return fs.SkipAll
		case d.IsDir() && path != root && (d.Name() == "vendor" || strings.HasPrefix(d.Name(), ".") || moduleOf(path) == path || rule.PathInTestFolder(p.Pass, filepath.ToSlash(path[len(root):]))):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || linked[filepath.Dir(path)]:
			return nil
		}
		text, err := os.ReadFile(path)
		found = err == nil && bytes.Contains(text, imported) && !bytes.HasPrefix(text, []byte("// Code generated")) && name.Match(text)
		return nil
	})
	return found
}

// moduleOf returns the folder with the go.mod that a folder belongs to, "" where there is none.
func moduleOf(dir string) string {
	for filepath.IsAbs(dir) && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return ""
}
