package store_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/store"
)

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	s := open(t, store.Options{Dir: dir})
	hasNot(t, s, key(1))
	for _, b := range [][]byte{{}, []byte("one"), []byte("another"), bytes.Repeat([]byte("long"), 1<<20)} {
		s.Put(key(1), b)
		has(t, s, key(1), b)
	}
	hasNot(t, s, key(2))
	s.Put(key(2), nil)
	has(t, s, key(2), nil)
	s.Close()
	s.Close()
	quiet(t, s)

	s = open(t, store.Options{Dir: dir})
	has(t, s, key(1), bytes.Repeat([]byte("long"), 1<<20))
	has(t, s, key(2), nil)
	hasNot(t, s, key(3))
	before := tree(t, dir)
	s.Close()
	quiet(t, s)
	if tree(t, dir) != before {
		t.Error("a run that put nothing wrote something")
	}
}

func TestNil(t *testing.T) {
	var s *store.Store
	s.Put(key(1), []byte("one"))
	hasNot(t, s, key(1))
	quiet(t, s)
	s.Close()
}

func TestDefaultDir(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, cache)
	}
	dir, err := store.DefaultDir()
	if err != nil || !strings.HasPrefix(dir, cache) || filepath.Base(dir) != "ctrllint" {
		t.Fatalf("%s, %v", dir, err)
	}
	s := open(t, store.Options{})
	s.Put(key(1), []byte("one"))
	has(t, open(t, store.Options{Dir: dir}), key(1), []byte("one"))
}

func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), nil)
	before := tree(t, dir)
	for _, test := range []struct{ dir, want string }{
		{"relative", "is not an absolute path"},
		{filepath.Join(dir, "file"), "file"},
		{filepath.Join(dir, "file", "below"), "file"},
		{dir, "it has file in it, and no " + store.Marker},
	} {
		s, err := store.Open(store.Options{Dir: test.dir})
		if s != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.dir, err, test.want)
		}
	}
	if tree(t, dir) != before {
		t.Errorf("it left %s", tree(t, dir))
	}
}

// Whatever happens to the files, Get returns what was put or nothing, and a Put fixes it.
func TestDamage(t *testing.T) {
	one, two := []byte(strings.Repeat("one ", 1000)), []byte(strings.Repeat("two ", 1000))
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[(at+len(b))%len(b)] ^= 1; return b }
	}
	for _, test := range []struct {
		name   string
		damage func(b []byte) []byte // nil takes the file away
	}{
		{"gone", nil},
		{"empty", func([]byte) []byte { return nil }},
		{"short by one", func(b []byte) []byte { return b[:len(b)-1] }},
		{"half", func(b []byte) []byte { return b[:len(b)/2] }},
		{"long by one", func(b []byte) []byte { return append(b, 0) }},
		{"twice", func(b []byte) []byte { return append(b, b...) }},
		{"zeros of the same length", func(b []byte) []byte { return make([]byte, len(b)) }},
		{"a bit at the start", flip(0)},
		{"a bit of the hash", flip(100)},
		{"a bit of the end", flip(-2)},
		{"text", func([]byte) []byte { return []byte("v1 \n") }},
	} {
		for _, kind := range []string{"a", "d"} {
			t.Run(test.name+" "+kind, func(t *testing.T) {
				dir := t.TempDir()
				s := open(t, store.Options{Dir: dir})
				s.Put(key(1), one)
				file := files(t, dir, kind)[0]
				if test.damage == nil {
					if err := os.Remove(file); err != nil {
						t.Fatal(err)
					}
				} else {
					write(t, file, test.damage(read(t, file)))
				}
				if got, ok := s.Get(key(1)); ok && !bytes.Equal(got, one) {
					t.Errorf("got %d wrong bytes", len(got))
				} else if ok && !(kind == "a" && test.name == "a bit of the end") { // which is of the time
					t.Error("the damage was not seen")
				}
				s.Put(key(1), one)
				has(t, s, key(1), one)
				s.Close()
				quiet(t, s)
				has(t, open(t, store.Options{Dir: dir}), key(1), one)
			})
		}
	}

	// Each file is whole, and in the other's place.
	for _, kind := range []string{"a", "d"} {
		t.Run("swapped "+kind, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, store.Options{Dir: dir})
			s.Put(key(1), one)
			s.Put(key(2), two)
			f := files(t, dir, kind)
			x, y := read(t, f[0]), read(t, f[1])
			write(t, f[0], y)
			write(t, f[1], x)
			hasNot(t, s, key(1))
			hasNot(t, s, key(2))
			s.Put(key(1), one)
			s.Put(key(2), two)
			has(t, s, key(1), one)
			has(t, s, key(2), two)
		})
	}

	// The line of a key is well-formed, and names the data of another one.
	t.Run("another key's data", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, store.Options{Dir: dir})
		s.Put(key(1), one)
		s.Put(key(2), two)
		f := files(t, dir, "a")
		x, y := read(t, f[0]), read(t, f[1])
		const start, end = 3 + 64, 3 + 64 + 1 + 64
		write(t, f[0], append(append(bytes.Clone(x[:start]), y[start:end]...), x[end:]...))
		write(t, f[1], append(append(bytes.Clone(y[:start]), x[start:end]...), y[end:]...))
		hasNot(t, s, key(1))
		hasNot(t, s, key(2))
		s.Put(key(1), one)
		has(t, s, key(1), one)
	})

	// Data that is no file is not read.
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, store.Options{Dir: dir})
		s.Put(key(1), one)
		f := files(t, dir, "d")[0]
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(f, 0o755); err != nil {
			t.Fatal(err)
		}
		hasNot(t, s, key(1))
		s.Put(key(1), one)
		warns(t, s, "cannot be written")
		s.Put(key(2), two)
		has(t, s, key(2), two)
	})

	// Everything at once, the store's own files too.
	t.Run("all", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, store.Options{Dir: dir})
		s.Put(key(1), one)
		s.Close()
		for _, f := range append(append(files(t, dir, "a"), files(t, dir, "d")...), filepath.Join(dir, store.Marker), filepath.Join(dir, store.TotalFile)) {
			write(t, f, nil)
		}
		s = open(t, store.Options{Dir: dir})
		hasNot(t, s, key(1))
		s.Put(key(1), one)
		has(t, s, key(1), one)
		s.Close()
		quiet(t, s)
	})
}

// Folders that go away are made again: somebody cleaned beside the run.
func TestRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, store.Options{Dir: dir})
	s.Put(key(1), []byte("one"))
	for _, gone := range []string{filepath.Dir(files(t, dir, "a")[0]), filepath.Dir(files(t, dir, "d")[0]), dir} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		hasNot(t, s, key(1))
		s.Put(key(1), []byte("one"))
		has(t, s, key(1), []byte("one"))
	}
	if _, err := store.Clean(dir); err != nil {
		t.Fatal(err)
	}
	hasNot(t, s, key(1))
	s.Put(key(1), []byte("one"))
	has(t, s, key(1), []byte("one"))
	s.Close()
	quiet(t, s)
	has(t, open(t, store.Options{Dir: dir}), key(1), []byte("one"))
}

// A store that turns into a file, for want of a file system that fails everywhere.
func TestUnwritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, store.Options{Dir: dir})
	s.Put(key(1), []byte("one"))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	write(t, dir, nil)
	for i := range 3 {
		s.Put(key(i), []byte("more"))
		hasNot(t, s, key(i))
	}
	s.Close()
	warns(t, s, "cannot be written, and not all that this run computed is kept")
}

func TestVerifyMode(t *testing.T) {
	// The go command's cache would panic, and so end the run.
	t.Setenv("GODEBUG", "gocacheverify=1")
	if out, err := self(t, "beside", t.TempDir()).Output(); err != nil || string(out) != "0\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// mount makes dir a file system with options, or skips the test.
func mount(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := exec.Command("mount", append(args, "tmpfs", dir)...).CombinedOutput(); err != nil {
		t.Skipf("mounting is not allowed here: %v: %s", err, out)
	}
	t.Cleanup(func() { unmount(t, dir) })
}

func unmount(t *testing.T, dir string) {
	if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, "-t", "tmpfs", "-o", "size=1m")
	s := open(t, store.Options{Dir: dir})
	s.Put(key(0), []byte("before"))
	for i := 1; i < 60; i++ {
		s.Put(key(i), data(i, 1))
	}
	warns(t, s, "no space left on device")
	has(t, s, key(0), []byte("before"))
	hits := 0
	for i := 1; i < 60; i++ {
		if b, ok := s.Get(key(i)); ok {
			hits++
			if !right(i, b) {
				t.Errorf("wrong bytes for %d", i)
			}
		}
	}
	if hits == 0 || hits == 59 {
		t.Errorf("%d hits", hits)
	}
	s.Close()

	// The next run has room again, though the bound is far.
	s = open(t, store.Options{Dir: dir})
	s.Put(key(1000), data(1000, 1)[:20_000])
	has(t, s, key(1000), data(1000, 1)[:20_000])
	s.Close()
	quiet(t, s)
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, "-t", "tmpfs", "-o", "size=4m")
	s := open(t, store.Options{Dir: dir})
	s.Put(key(1), []byte("one"))
	s.Close()
	quiet(t, s)
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Skipf("mounting again is not allowed here: %v: %s", err, out)
	}

	s = open(t, store.Options{Dir: dir})
	for i := 2; i < 5; i++ {
		s.Put(key(i), []byte("more"))
		hasNot(t, s, key(i))
	}
	s.Put(key(1), []byte("changed"))
	has(t, s, key(1), []byte("one"))
	s.Close()
	warns(t, s, "read-only file system")

	if _, err := store.Clean(dir); err == nil {
		t.Error("it was cleaned")
	}
	if _, err := store.Open(store.Options{Dir: filepath.Join(dir, "below")}); err == nil {
		t.Error("a store was made")
	}
}

func TestGoroutines(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir(), MaxBytes: 400_000})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range keys {
				s.Put(key(i), data(i, uint64(g%2)))
				if b, ok := s.Get(key(i)); ok && !right(i, b) {
					t.Errorf("wrong bytes for %d", i)
				}
			}
		})
	}
	wg.Wait()
	s.Close()
	quiet(t, s)
}

func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		cmd := self(t, "beside", dir)
		wg.Go(func() {
			if out, err := cmd.Output(); err != nil || string(out) == "0\n" {
				t.Errorf("%v, hits: %q", err, out)
			}
		})
	}
	wg.Wait()
}

// A process may be killed at any moment.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 10 {
		cmd := self(t, "forever", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(round) * 3 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()

		s := open(t, store.Options{Dir: dir})
		for i := range keys {
			if b, ok := s.Get(key(i)); ok && !right(i, b) {
				t.Errorf("wrong bytes for %d", i)
			}
		}
		if round%2 == 0 { // otherwise the next process finds what this one left
			for i := range keys {
				s.Put(key(i), data(i, 1))
				has(t, s, key(i), data(i, 1))
			}
		}
		s.Close()
		quiet(t, s)
	}
}
