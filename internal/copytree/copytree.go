// Package copytree copies the trees of modules, so that they can be edited and analysed apart from where they came
// from.
package copytree

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Copy copies what is below from to the folder to, as files and folders that can be written to; symbolic links stay
// links. It passes over those for which skip is true, with all that is below, and over what is neither file, folder nor
// link. skip is told the path relative to from.
func Copy(from, to string, skip func(rel string, d fs.DirEntry) bool) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case rel != "." && skip(rel, d):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
