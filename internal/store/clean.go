package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Clean removes what stores wrote into a directory ("" stands for DefaultDir), and nothing else; the directory stays. It
// returns the bytes on the disk that this gave back. It is an error where the directory has something in it and is not a
// store, and where a file cannot be removed, after all others were. No directory, and an empty one, are clean.
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
			_ = os.Remove(filepath.Join(dir, e.Name())) // fails where somebody else's file is in it, or one just written
		}
	}
	failed = append(failed, remove(filepath.Join(dir, totalFile)), removeTemporaries(dir, time.Now().Add(timeSlack)))

	// The marker goes last, and only when it marks nothing, so that what was left can be removed another time.
	if entries, err = os.ReadDir(dir); err == nil && len(entries) == 1 && isMarker(entries[0]) {
		err = remove(filepath.Join(dir, marker))
	}
	return removedBytes, errors.Join(append(failed, err)...)
}
