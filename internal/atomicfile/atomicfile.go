// Package atomicfile writes files so that nobody ever reads half of one, and so that a write that fails leaves what was
// there.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data in the place of the file named path, or makes it with the mode 0644. A file that was there keeps its
// mode; where path is a symbolic link, the file behind it is the one that is written. The data goes to a temporary file
// beside it first, which is then renamed.
func Write(path string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if file, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		path, mode = file, info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".ctrllint-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
