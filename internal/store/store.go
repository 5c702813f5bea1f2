// Package store keeps bytes by key beyond the end of a run: on the disk, and, where the user has one, in a cache program
// of the go command's protocol.
//
// On the disk it is the go command's build cache in a directory of its own (honnef.co/go/tools/lintcmd/cache is a public
// copy). That cache writes in place, without temporary files: first the bytes, under the name of their hash, then a line
// in the file of the key that names the hash. A process that is killed in between, two that write the same, and a disk
// that is full leave files that are too short, empty, or torn. So nothing that is read is believed before its seal is
// checked: a hash over the key and the data, in front of the data. The cache's own hash would not do. It tells that a file
// is whole, and not that it belongs to the key: a damaged line may name the file of another one, and a cache program may
// hand it out. What is damaged counts as missing, and the next Put of the key writes it again.
//
// A store speeds a run up and is never needed, so nothing that goes wrong after Open is an error: it is a miss, and a
// warning.
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

// DefaultMaxBytes is the bound on what is on the disk, where the Options do not say another one.
const DefaultMaxBytes = 2 << 30

// marker is the file that makes a directory a store. Its name is what counts, because what is in it may be damaged.
const marker = "ctrllint-store.txt"

const markerText = `ctrllint keeps here what it need not compute again. Everything here may be removed at any time.
A directory without this file is not taken for ctrllint's, and nothing in it is removed.
`

// Options say where a store is. The zero value is good.
type Options struct {
	Dir      string // absolute; "" stands for DefaultDir
	MaxBytes int64  // how much may be on the disk; 0 stands for DefaultMaxBytes

	// Program is the command line of a cache program, as GOCACHEPROG has it: words, in quotes where there are spaces in
	// them. "" is none.
	Program string
}

// A Store keeps bytes by key. It may be used by several goroutines, and its directory by several processes. A nil Store
// is one that keeps nothing.
type Store struct {
	dir     string
	max     int64
	disk    *cache.DiskCache
	command string
	limits  limits

	start   sync.Once // starts the program when it is first needed: most runs find all on the disk
	program *program  // nil where there is none, or it did not start

	settling sync.Mutex // held while what was written is brought to account; mu is taken after it

	mu        sync.Mutex
	unsettled int64 // bytes on the disk that total.txt does not know
	full      bool  // the disk was, for something that was put
	warned    map[topic]bool
	warnings  []string
}

// A topic is what a run warns of once, however often it happens.
type topic int

const (
	diskFails topic = iota
	programGone
	programErrs
)

// DefaultDir is where a user's store is: ctrllint in the system's directory for caches. It is an error where the
// environment does not tell that one.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "ctrllint"), nil
}

// Open opens the store in a directory, and makes one where there is none. It is an error where the directory cannot be
// made or read, and where it has something in it and is not a store, so that a slip in a setting does not strew files
// over somebody's home. A store that can be read and not written is fine.
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

// resolve is the directory that dir stands for.
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
	if err := os.MkdirAll(dir, 0o777); err != nil { // the user's umask decides, as for the go command's cache
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if !marked(entries) {
		// Names of the store without its marker are what a Clean leaves that ran beside a Put.
		if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !ours(e) }); i >= 0 {
			return nil, fmt.Errorf("%s is not a store of ctrllint: it has %s in it, and no %s", dir, entries[i].Name(), marker)
		}
		if err := atomicfile.Write(filepath.Join(dir, marker), []byte(markerText)); err != nil {
			return nil, err
		}
	}
	return cache.Open(dir)
}

// Get returns what was last put under a key. It is false where nothing was, or where that is gone or damaged; other bytes
// than those that were put are never returned. The disk is asked before the program, which may take a while.
func (s *Store) Get(key Key) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	if data, ok := s.getDisk(key); ok {
		return data, true
	}
	return s.getProgram(key)
}

// Put keeps data under a key, on the disk and in the program. It fails in silence: see Warnings. What is larger than the
// store may be does not go to the disk.
func (s *Store) Put(key Key, data []byte) {
	if s == nil {
		return
	}
	sealed := seal(key, data)
	s.putDisk(key, sealed)
	s.putProgram(key, sealed)
}

// Warnings returns what has gone wrong so far, for people, each kind of failure once: a disk that cannot be written, a
// program that was given up, and one that answered with errors. After Close there come no more.
func (s *Store) Warnings() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.warnings)
}

// Close brings the store back to its bound, and ends the program, for which it waits for closeTimeout at most. What fails
// is among the Warnings. The store may not be used afterwards; a second Close does nothing.
func (s *Store) Close() {
	if s == nil {
		return
	}
	s.settle()
	s.start.Do(func() {}) // from now on it is too late to start one
	if s.program == nil {
		return
	}
	if err := s.program.close(); err != nil {
		s.warnGone(err)
	}
}

func (s *Store) getDisk(key Key) ([]byte, bool) {
	// Both calls note the use of a file in its time, which is what trimming goes by.
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
	if errors.Is(err, fs.ErrNotExist) { // somebody removed the store, or a part of it, under the run
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
	// Put would panic under GODEBUG=gocacheverify=1 where the data of a key has changed. Both read the file that may be
	// there, and write it again unless its hash is right.
	out, _, err := cache.PutNoVerify(s.disk, cache.ActionID(key), bytes.NewReader(sealed))
	if err == nil {
		s.disk.OutputFile(out) // a file that was there may be old, and must not be trimmed before its key
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

// unseal returns the data that was sealed under key, and false where the bytes are anything else.
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

// readRegular reads a file, and nothing that might never end, such as a pipe.
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
