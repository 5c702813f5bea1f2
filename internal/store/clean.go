package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Clean removes the files of a store from a directory ("" stands for DefaultDir), and returns their size on the disk.
// It fails if the directory is neither a store nor empty, and if a file cannot be removed, after all others. No
// directory is clean.
func Clean(dir string) (removedBytes int64, err error) {
	if dir, err = resolve(dir); err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if len(entries) == 0 {
		return 0, nil
	}
	if !marked(entries) {
		return 0, fmt.Errorf("%s is not a store of ctrllint: there is no %s in it", dir, marker)
	}
	files, err := list(dir)
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, f := range files {
		if err := remove(f.path); err != nil {
			failed = append(failed, err)
			continue
		}
		removedBytes += f.bytes
	}
	for _, e := range entries {
		if isFolder(e) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // fails if another file is in it
		}
	}
	failed = append(failed, remove(filepath.Join(dir, totalFile)), removeTemporaries(dir, time.Now().Add(timeSlack)))

	// The marker goes last, and only if nothing else is left, so that Clean can be repeated.
	if entries, err = os.ReadDir(dir); err == nil && len(entries) == 1 && isMarker(entries[0]) {
		err = remove(filepath.Join(dir, marker))
	}
	return removedBytes, errors.Join(append(failed, err)...)
}
