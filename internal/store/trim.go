package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
)

// totalFile has the size of the store, so that a run need not list all files: a line with the time of the last
// listing, in seconds, and the bytes then, and for each run since a line with a plus sign and the bytes that it
// wrote. Lines are appended without a lock, and may be lost, so it is valid for lookInterval only.
const totalFile = "total.txt"

const (
	lookInterval = 24 * time.Hour

	// The size to which the store is trimmed, in per cent of the bound.
	trimTo = 90

	// The inaccuracy of times of files: the cache notes a use once an hour, and a file server may have another clock.
	timeSlack = time.Hour

	// A longer total file is not used.
	maxTotalFile = 64 << 10

	// The temporary files of package atomicfile, which a killed process leaves.
	tempPrefix = ".ctrllint-"

	// The length of the cache's line about a key.
	lineBytes = 175
)

// A file is one of the cache's.
type file struct {
	path  string
	bytes int64     // on the disk
	used  time.Time // the last time, to the hour
}

// onDisk returns the space that a file takes: its blocks, and one for its name.
func onDisk(size int64) int64 {
	const block = 4096
	return (size/block + 1) * block
}

// settle adds the bytes written to the total file, or trims the store if it is above its bound, or the disk was full.
func (s *Store) settle() {
	s.settling.Lock()
	defer s.settling.Unlock()
	s.mu.Lock()
	wrote, full := s.unsettled, s.full
	s.unsettled, s.full = 0, false
	s.mu.Unlock()
	if wrote == 0 && !full {
		return
	}
	if total, ok := readTotal(s.dir, time.Now()); ok && !full && total+wrote <= s.max {
		if appendTotal(s.dir, wrote) == nil {
			return
		}
	}
	if err := trim(s.dir, s.max, full, time.Now()); err != nil {
		s.warnDisk(err)
	}
}

// readTotal reads the total file. It is false if there is none, or it is old, damaged, or from the future.
func readTotal(dir string, now time.Time) (int64, bool) {
	data, err := os.ReadFile(filepath.Join(dir, totalFile))
	if err != nil || len(data) > maxTotalFile {
		return 0, false
	}
	text, whole := strings.CutSuffix(string(data), "\n")
	first, rest, _ := strings.Cut(text, "\n")
	at, sum, two := strings.Cut(first, " ")
	if !whole || !two {
		return 0, false
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if age := now.Sub(time.Unix(seconds, 0)); err != nil || age < 0 || age >= lookInterval {
		return 0, false
	}
	total, ok := parseBytes(sum)
	if rest == "" {
		return total, ok
	}
	for line := range strings.SplitSeq(rest, "\n") {
		number, plus := strings.CutPrefix(line, "+")
		n, valid := parseBytes(number)
		if ok = ok && plus && valid; !ok {
			return 0, false
		}
		total += n
	}
	return total, ok
}

// parseBytes parses a number of bytes, small enough for the sum of a total file not to overflow.
func parseBytes(text string) (int64, bool) {
	n, err := strconv.ParseUint(text, 10, 48)
	return int64(n), err == nil
}

// appendTotal adds n bytes to the total file.
func appendTotal(dir string, n int64) error {
	f, err := os.OpenFile(filepath.Join(dir, totalFile), os.O_WRONLY|os.O_APPEND, 0) // trim makes it
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "+%d\n", n)
	return errors.Join(err, f.Close())
}

// trim removes the least recently used files if the store is above its bound, and writes the total file. If the disk
// is full, the bound is below the present size. Several processes may trim at once: each removes the same files.
func trim(dir string, bound int64, full bool, now time.Time) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	total := int64(0)
	for _, f := range files {
		total += f.bytes
	}
	if full {
		bound = min(bound, total-1)
	}
	var failed error
	if total > bound {
		// Files from the future, from before the clock was set back, go first.
		future := func(f file) int {
			if f.used.After(now.Add(timeSlack)) {
				return 0
			}
			return 1
		}
		slices.SortFunc(files, func(a, b file) int {
			if d := future(a) - future(b); d != 0 {
				return d
			}
			return a.used.Compare(b.used)
		})
		goal := bound / 100 * trimTo
		for _, f := range files {
			if total <= goal {
				break
			}
			if err := remove(f.path); err != nil {
				failed = err // it may be open, on Windows
				continue
			}
			total -= f.bytes
		}
	}
	if total <= bound {
		failed = nil
	}
	text := fmt.Sprintf("%d %d\n", now.Unix(), total)
	return errors.Join(failed, removeTemporaries(dir, now.Add(-timeSlack)), atomicfile.Write(filepath.Join(dir, totalFile), []byte(text)))
}

// list returns the cache's files in dir.
func list(dir string) ([]file, error) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, folder := range folders {
		if !isFolder(folder) {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(dir, folder.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if !isFile(folder.Name(), e) {
				continue
			}
			info, err := e.Info()
			if err != nil {
				continue // removed by another process
			}
			files = append(files, file{filepath.Join(dir, folder.Name(), e.Name()), onDisk(info.Size()), info.ModTime()})
		}
	}
	return files, nil
}

// removeTemporaries removes the temporary files in dir from before a time; others may be in use.
func removeTemporaries(dir string, before time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isTemporary(e) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			if err := remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes a file, if it is still there.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// marked reports whether the directory with these entries is a store.
func marked(entries []fs.DirEntry) bool { return slices.ContainsFunc(entries, isMarker) }

// ours reports whether an entry of a store's directory is the store's.
func ours(e fs.DirEntry) bool {
	return isMarker(e) || isFolder(e) || isTemporary(e) || e.Type().IsRegular() && e.Name() == totalFile
}

func isMarker(e fs.DirEntry) bool { return e.Type().IsRegular() && e.Name() == marker }

func isTemporary(e fs.DirEntry) bool {
	return e.Type().IsRegular() && strings.HasPrefix(e.Name(), tempPrefix)
}

// isFolder reports whether an entry is one of the 256 folders of the cache. A link to a folder is not.
func isFolder(e fs.DirEntry) bool { return e.IsDir() && len(e.Name()) == 2 && isHex(e.Name()) }

// isFile reports whether an entry of a folder of the cache is one of its files: a hash that begins with the folder's
// name, and -a for a key or -d for data.
func isFile(folder string, e fs.DirEntry) bool {
	const n = 2 * len(Key{})
	name := e.Name()
	return e.Type().IsRegular() && len(name) == n+2 && strings.HasPrefix(name, folder) && isHex(name[:n]) &&
		(name[n:] == "-a" || name[n:] == "-d")
}

func isHex(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })
}
