// Package atomicfile writes files so that readers never see half of one, and so that a write that fails leaves what
// was there.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data in the place of the file named path, or makes it with the mode 0644. A file that was there keeps its
// mode; where path is a symbolic link, the file behind it is the one that is written. The data goes to a temporary file
// beside it first, which is then renamed. An error names path, not the temporary file.
func Write(path string, data []byte) error {
	s, err := Stage(path, data)
	if err != nil {
		return err
	}
	return s.Commit()
}

// Staged is data that lies beside the file whose place it is to take. Either Commit or Discard has to be called.
type Staged struct {
	name string // as the caller has it
	file string // behind the links
	temp string
}

// Stage does all of [Write] but the last step, which cannot run out of room or lack a permission that was not needed
// before.
func Stage(path string, data []byte) (_ *Staged, err error) {
	s := &Staged{name: path, file: path}
	defer func() { err = named(path, err) }()
	mode := fs.FileMode(0o644)
	if file, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		s.file, mode = file, info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(s.file), ".ctrllint-*")
	if err != nil {
		return nil, err
	}
	s.temp = tmp.Name()
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

// Commit puts the data in its place, or leaves nothing behind and returns an error.
func (s *Staged) Commit() error {
	if err := os.Rename(s.temp, s.file); err != nil {
		s.Discard()
		return named(s.name, err)
	}
	return nil
}

// Discard takes the data away.
func (s *Staged) Discard() { _ = os.Remove(s.temp) } // no code reads it

// named is err as one of the file path: the name of a temporary file means nothing to users.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	var of *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &of):
		err = of.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}
