// Package store keeps bytes by key across runs: on the disk and, if the user has one, in a cache program of the go command's
// protocol.
//
// On the disk it is the go command's build cache in a directory of its own (honnef.co/go/tools/lintcmd/cache is a public
// copy). That cache writes in place: first the bytes, under the name of their hash, then a line in the file of the key that
// names the hash. A killed process, concurrent writers, and a full disk leave short, empty or torn files. So data is
// preceded by a seal, a hash over the key and the data; the cache's own hash does not show that data belongs to the key.
// Damaged data counts as missing, and the next Put of the key writes it again.
//
// A store is optional, so failures after Open are misses and warnings.
package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"honnef.co/go/tools/lintcmd/cache"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
)

// DefaultMaxBytes is the default bound on the bytes on the disk.
const DefaultMaxBytes = 2 << 30

// marker is the file that makes a directory a store, whatever its contents.
const marker = "ctrllint-store.txt"

const markerText = `ctrllint keeps here what it need not compute again. Everything here may be removed at any time.
A directory without this file is not taken for ctrllint's, and nothing in it is removed.
`

// Options are the options of a store. The zero value is valid.
type Options struct {
	Dir      string // absolute; "" stands for DefaultDir
	MaxBytes int64  // the bound on the disk; 0 stands for DefaultMaxBytes

	// Program is the command line of a cache program, in the form of GOCACHEPROG; "" for none.
	Program string
}

// A Store keeps bytes by key. It may be used by several goroutines, and its directory by several processes. A nil
// Store keeps nothing.
type Store struct {
	dir     string
	max     int64
	disk    *cache.DiskCache
	command string
	limits  limits

	start   sync.Once // starts the program at the first miss on the disk
	program *program  // nil if there is none, or it did not start

	settling sync.Mutex // of settle; mu is taken after it

	mu        sync.Mutex
	unsettled int64 // bytes on the disk that total.txt does not know
	full      bool  // the disk was full
	warned    map[topic]bool
	warnings  []string
}

// A topic is a kind of warning, of which a run has one.
type topic int

const (
	diskFails topic = iota
	programGone
	programErrs
)

// DefaultDir returns the default directory: ctrllint in the user's directory for caches. It fails if that is not known.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "ctrllint"), nil
}

// Open opens the store in a directory, or makes one. It fails if the directory cannot be made or read, or is neither
// a store nor empty. A store may be read-only.
func Open(o Options) (*Store, error) { return open(o, defaultLimits) }

func open(o Options, l limits) (*Store, error) {
	dir, err := resolve(o.Dir)
	if err != nil {
		return nil, err
	}
	disk, err := prepare(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, max: o.MaxBytes, disk: disk, command: o.Program, limits: l, warned: make(map[topic]bool)}
	if s.max <= 0 {
		s.max = DefaultMaxBytes
	}
	return s, nil
}

// resolve returns the directory that dir stands for.
func resolve(dir string) (string, error) {
	if dir == "" {
		return DefaultDir()
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s is not an absolute path", dir)
	}
	return filepath.Clean(dir), nil
}

// prepare makes dir a store, if it is not one.
func prepare(dir string) (*cache.DiskCache, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil { // less the umask, as for the go command's cache
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if !marked(entries) {
		// Clean, concurrent with Put, leaves files without the marker.
		if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !ours(e) }); i >= 0 {
			return nil, fmt.Errorf("%s is not a store of ctrllint: it has %s in it, and no %s", dir, entries[i].Name(), marker)
		}
		if err := atomicfile.Write(filepath.Join(dir, marker), []byte(markerText)); err != nil {
			return nil, err
		}
	}
	return cache.Open(dir)
}

// Get returns what was last put under a key. It is false if nothing was, or that is gone or damaged. The disk comes
// before the program, which may be slow.
func (s *Store) Get(key Key) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	if data, ok := s.getDisk(key); ok {
		return data, true
	}
	return s.getProgram(key)
}

// Put keeps data under a key, on the disk, unless it is larger than the bound, and in the program. Failures are
// Warnings.
func (s *Store) Put(key Key, data []byte) {
	if s == nil {
		return
	}
	sealed := seal(key, data)
	s.putDisk(key, sealed)
	s.putProgram(key, sealed)
}

// Warnings returns the failures so far, one of each kind: a disk that cannot be written, a program that was given up,
// and one that answered with errors. Close adds the last ones.
func (s *Store) Warnings() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.warnings)
}

// Close trims the store to its bound, and ends the program, within closeTimeout. The store may not be used
// afterwards; a second Close does nothing.
func (s *Store) Close() {
	if s == nil {
		return
	}
	s.settle()
	s.start.Do(func() {}) // it is not started any more
	if s.program == nil {
		return
	}
	if err := s.program.close(); err != nil {
		s.warnGone(err)
	}
}

func (s *Store) getDisk(key Key) ([]byte, bool) {
	// Both calls set the time of a file, by which trim chooses.
	e, err := s.disk.Get(cache.ActionID(key))
	if err != nil {
		return nil, false
	}
	sealed, err := readRegular(s.disk.OutputFile(e.OutputID))
	if err != nil {
		return nil, false
	}
	return unseal(key, sealed)
}

func (s *Store) putDisk(key Key, sealed []byte) {
	size := onDisk(int64(len(sealed))) + onDisk(lineBytes)
	if size > s.max {
		return
	}
	err := s.write(key, sealed)
	if errors.Is(err, fs.ErrNotExist) { // the store, or a part of it, was removed during the run
		if _, err = prepare(s.dir); err == nil {
			err = s.write(key, sealed)
		}
	}
	if err != nil {
		s.mu.Lock()
		s.full = s.full || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
		s.mu.Unlock()
		s.warnDisk(err)
		return
	}
	s.mu.Lock()
	s.unsettled += size
	// One run may write more than the bound.
	much := s.unsettled > s.max/16
	s.mu.Unlock()
	if much {
		s.settle()
	}
}

func (s *Store) write(key Key, sealed []byte) error {
	// Put would panic under GODEBUG=gocacheverify=1 if the data of a key has changed.
	out, _, err := cache.PutNoVerify(s.disk, cache.ActionID(key), bytes.NewReader(sealed))
	if err == nil {
		s.disk.OutputFile(out) // sets the time: an old file must not be trimmed before its key
	}
	return err
}

func (s *Store) warnDisk(err error) {
	s.warn(diskFails, fmt.Sprintf("%s cannot be written, and not all that this run computed is kept: %v", s.dir, err))
}

func (s *Store) warn(t topic, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.warned[t] {
		s.warned[t] = true
		s.warnings = append(s.warnings, text)
	}
}

// seal puts the hash of key and data before the data.
func seal(key Key, data []byte) []byte {
	hash := sum(key, data)
	return append(append(make([]byte, 0, len(hash)+len(data)), hash[:]...), data...)
}

// unseal returns the data that was sealed under key; false if the seal does not match.
func unseal(key Key, sealed []byte) ([]byte, bool) {
	if len(sealed) < sha256.Size {
		return nil, false
	}
	data := sealed[sha256.Size:]
	if sum(key, data) != [sha256.Size]byte(sealed) {
		return nil, false
	}
	return data, true
}

func sum(key Key, data []byte) (hash [sha256.Size]byte) {
	h := sha256.New()
	_, _ = h.Write(key[:])
	_, _ = h.Write(data)
	h.Sum(hash[:0])
	return hash
}

// readRegular reads a regular file; a pipe might never end.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.ReadFile(path)
}
