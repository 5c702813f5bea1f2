package store_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/store"
)

// The tests run this binary again as other processes, whose first argument says what they do.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || strings.HasPrefix(os.Args[1], "-") {
		// With -race, each process would sleep a second at its end.
		if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	var err error
	switch role, args := os.Args[1], os.Args[2:]; role {
	case "forever":
		err = putForever(args[0])
	case "beside":
		err = workBeside(args[0])
	case "program":
		err = fakeProgram(args[0], args[1])
	default:
		err = fmt.Errorf("no role %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func self(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Stderr = os.Stderr
	return cmd
}

func open(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func quiet(t *testing.T, s *store.Store) {
	t.Helper()
	if w := s.Warnings(); w != nil {
		t.Errorf("it warns: %q", w)
	}
}

func warns(t *testing.T, s *store.Store, parts ...string) {
	t.Helper()
	w := s.Warnings()
	for i, part := range parts {
		if len(w) != len(parts) || !strings.Contains(w[i], part) {
			t.Errorf("the warnings are %q, want %q", w, parts)
			return
		}
	}
}

func has(t *testing.T, s *store.Store, key store.Key, want []byte) {
	t.Helper()
	if got, ok := s.Get(key); !ok || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %t, want %d", len(got), ok, len(want))
	}
}

func hasNot(t *testing.T, s *store.Store, key store.Key) {
	t.Helper()
	if got, ok := s.Get(key); ok {
		t.Errorf("got %d bytes, want none", len(got))
	}
}

func key(i int) store.Key {
	h := store.NewHash("test")
	h.Int(int64(i))
	return h.Sum()
}

// data is one of many that may be put under key(i), and tells so itself.
func data(i int, version uint64) []byte {
	r := rand.New(rand.NewPCG(uint64(i), version))
	b := make([]byte, 16+r.IntN(100_000))
	binary.LittleEndian.PutUint64(b, uint64(i))
	binary.LittleEndian.PutUint64(b[8:], version)
	for j := 16; j < len(b); j++ {
		b[j] = byte(r.Uint32())
	}
	return b
}

// right reports whether b is one of those.
func right(i int, b []byte) bool {
	return len(b) >= 16 && binary.LittleEndian.Uint64(b) == uint64(i) &&
		bytes.Equal(b, data(i, binary.LittleEndian.Uint64(b[8:])))
}

const keys = 12

// putForever puts until it is killed.
func putForever(dir string) error {
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		return err
	}
	for version := rand.Uint64(); ; version++ {
		for i := range keys {
			s.Put(key(i), data(i, version))
		}
		if w := s.Warnings(); w != nil {
			return fmt.Errorf("%q", w)
		}
		fmt.Println("round")
	}
}

// workBeside gets, puts and trims, while other processes do the same.
func workBeside(dir string) error {
	hits := 0
	for round := range 6 {
		s, err := store.Open(store.Options{Dir: dir, MaxBytes: 400_000})
		if err != nil {
			return err
		}
		for i := range keys {
			if b, ok := s.Get(key(i)); ok {
				hits++
				if !right(i, b) {
					return fmt.Errorf("wrong bytes for %d", i)
				}
			}
			s.Put(key(i), data(i, uint64(round)))
		}
		s.Close()
		if w := s.Warnings(); w != nil {
			return fmt.Errorf("%q", w)
		}
	}
	fmt.Println(hits)
	return nil
}

// files are the paths of the files of the cache in dir, with those of keys or of data.
func files(t *testing.T, dir, kind string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "??", "*-"+kind))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// tree is everything in dir, by path, with the modes and sizes of files.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		size := strconv.FormatInt(info.Size(), 10)
		if e.IsDir() {
			size = "" // depends on the file system
		}
		fmt.Fprintln(&b, path, info.Mode(), size)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
