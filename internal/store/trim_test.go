package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/store"
)

// Each entry takes two blocks of 4096 bytes and a bit: 3 for 8000 bytes of data, with the key's.
var entry = []byte(strings.Repeat("12345678", 900))

const entryBytes = 3 * 4096

// aged puts n entries, the first of which was used n-1 days before the last, which was used after now.
func aged(t *testing.T, dir string, n int, after time.Duration) {
	t.Helper()
	s := open(t, store.Options{Dir: dir})
	all := func() []string { return append(files(t, dir, "a"), files(t, dir, "d")...) }
	before := all()
	for i := range n {
		s.Put(key(i), entry)
		now := all()
		for _, f := range now {
			if !slices.Contains(before, f) {
				used := time.Now().Add(after).Add(-24 * time.Hour * time.Duration(n-1-i))
				if err := os.Chtimes(f, used, used); err != nil {
					t.Fatal(err)
				}
			}
		}
		before = now
	}
	s.Close()
	quiet(t, s)
}

// kept are the numbers of the entries that are left.
func kept(t *testing.T, dir string, n int) string {
	t.Helper()
	s := open(t, store.Options{Dir: dir})
	var list []int
	for i := range n {
		if _, ok := s.Get(key(i)); ok {
			list = append(list, i)
		}
	}
	return fmt.Sprint(list)
}

func TestTrim(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration
		bound int64
		use   int // is got before
		want  string
	}{
		{"within the bound", 0, 12 * entryBytes, 9, "[0 1 2 3 4 5 6 7 8 9 10]"},
		{"oldest first", 0, 6 * entryBytes, 9, "[6 7 8 9 10]"},
		{"a use counts", 0, 6 * entryBytes, 2, "[2 7 8 9 10]"},
		{"all from the past", -100 * 24 * time.Hour, 6 * entryBytes, 2, "[2 7 8 9 10]"},
		// The last two are from the future, and nothing tells when those are used.
		{"the clock was put back", 60 * time.Hour, 6 * entryBytes, 9, "[3 4 5 6 10]"},
		{"room for nothing else", 0, entryBytes, 9, "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			aged(t, dir, 10, test.after)
			s := open(t, store.Options{Dir: dir, MaxBytes: test.bound})
			has(t, s, key(test.use), entry)
			s.Put(key(10), entry)
			s.Close()
			quiet(t, s)
			if got := kept(t, dir, 11); got != test.want {
				t.Errorf("left %s, want %s", got, test.want)
			}
		})
	}
}

// What is not the store's stays, whatever it looks like.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	aged(t, dir, 3, 0)
	hash := strings.Repeat("0a", 32)
	var foreign []string
	for _, name := range []string{
		"mine", "0a/mine", "0a/" + hash, "0a/" + hash + "-b", "0a/" + hash[:62] + "-a", "0a/" + strings.ToUpper(hash) + "-d",
		"0a/" + strings.Repeat("0b", 32) + "-d", "0g/" + hash + "-d", "0ab/" + hash + "-d", "trim.txt",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, entry)
		old := time.Now().Add(-1000 * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		foreign = append(foreign, path)
	}
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "cc"+hash[2:]+"-d"), entry)
	foreign = append(foreign, filepath.Join(elsewhere, "cc"+hash[2:]+"-d"))
	if err := os.Remove(filepath.Join(dir, "cc")); err == nil {
		if err := os.Symlink(elsewhere, filepath.Join(dir, "cc")); err != nil {
			t.Log(err) // not every system lets everybody make links
		}
	}
	stays := func() {
		t.Helper()
		for _, path := range foreign {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
	}

	s := open(t, store.Options{Dir: dir, MaxBytes: entryBytes})
	s.Put(key(3), entry)
	s.Close()
	quiet(t, s)
	if got := kept(t, dir, 4); got != "[]" {
		t.Errorf("left %s", got)
	}
	stays()
	s = open(t, store.Options{Dir: dir})
	s.Put(key(3), entry)
	s.Close()
	if n, err := store.Clean(dir); err != nil || n != entryBytes {
		t.Errorf("removed %d bytes, %v", n, err)
	}
	stays()
	if n, err := store.Clean(dir); err != nil || n != 0 {
		t.Errorf("removed %d bytes, %v", n, err)
	}
}

// The total says when to look. Whatever is in it, the bound holds in the end.
func TestTotal(t *testing.T) {
	now := time.Now().Unix()
	const bound = 6 * entryBytes
	for _, test := range []struct {
		name, total string
		trimmed     bool
	}{
		{"none", "", true},
		{"little", fmt.Sprintf("%d 100\n", now), false}, // others wrote and were killed: the next day tells
		{"just within", fmt.Sprintf("%d %d\n+%d\n", now, 2*entryBytes, 3*entryBytes), false},
		{"more", fmt.Sprintf("%d %d\n+%d\n+1\n", now, 2*entryBytes, 3*entryBytes), true},
		{"old", fmt.Sprintf("%d 100\n", now-24*3600), true},
		{"from the future", fmt.Sprintf("%d 100\n", now+3600), true},
		{"torn", fmt.Sprintf("%d 100\n+1", now), true},
		{"a torn line", fmt.Sprintf("%d 100\n+1+1\n", now), true},
		{"an empty line", fmt.Sprintf("%d 100\n\n+1\n", now), true},
		{"no plus", fmt.Sprintf("%d 100\n1\n", now), true},
		{"negative", fmt.Sprintf("%d -100\n", now), true},
		{"too much", fmt.Sprintf("%d 100\n+9223372036854775807\n", now), true},
		{"one number", fmt.Sprintf("%d\n", now), true},
		{"text", "total\n", true},
		{"too long", fmt.Sprintf("%d 100\n", now) + strings.Repeat("+1\n", 30_000), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			aged(t, dir, 10, 0)
			total := filepath.Join(dir, store.TotalFile)
			if test.total == "" {
				if err := os.Remove(total); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, total, []byte(test.total))
			}
			s := open(t, store.Options{Dir: dir, MaxBytes: bound})
			has(t, s, key(9), entry)
			s.Close()
			if len(files(t, dir, "a")) != 10 {
				t.Error("trimmed by a run that put nothing")
			}
			// As much as is accounted for at once would be trimmed in Put already.
			s = open(t, store.Options{Dir: dir, MaxBytes: bound})
			s.Put(key(10), entry)
			s.Close()
			quiet(t, s)
			if got := len(files(t, dir, "d")) < 10; got != test.trimmed {
				t.Errorf("trimmed: %t", got)
			}
			want := test.total + fmt.Sprintf("+%d\n", entryBytes)
			if got := string(read(t, total)); !test.trimmed && got != want {
				t.Errorf("the total is %q, want %q", got, want)
			} else if test.trimmed && strings.Contains(got, "+") {
				t.Errorf("the total is still %q", got)
			}
		})
	}
}

// One run that writes more than the bound stays near it.
func TestBoundInOneRun(t *testing.T) {
	dir := t.TempDir()
	const bound = 20 * entryBytes
	s := open(t, store.Options{Dir: dir, MaxBytes: bound})
	for i := range 100 {
		s.Put(key(i), entry)
		if n := len(files(t, dir, "d")); n > 23 {
			t.Fatalf("%d entries are there", n)
		}
	}
	s.Put(key(100), make([]byte, bound))
	hasNot(t, s, key(100))
	s.Close()
	quiet(t, s)
	if n := len(files(t, dir, "d")); n < 15 || n > 20 {
		t.Errorf("%d entries are left", n)
	}
}

func TestTemporaries(t *testing.T) {
	dir := t.TempDir()
	aged(t, dir, 1, 0)
	old, young := filepath.Join(dir, ".ctrllint-1"), filepath.Join(dir, ".ctrllint-2")
	write(t, old, nil)
	write(t, young, nil)
	before := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	s := open(t, store.Options{Dir: dir, MaxBytes: entryBytes})
	s.Put(key(1), entry)
	s.Close()
	if _, err := os.Stat(old); err == nil {
		t.Error("the old one is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}

func TestClean(t *testing.T) {
	dir := t.TempDir()
	for _, empty := range []string{filepath.Join(dir, "missing"), dir} {
		if n, err := store.Clean(empty); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", empty, n, err)
		}
	}
	aged(t, dir, 3, 0)
	write(t, filepath.Join(dir, ".ctrllint-1"), nil)
	if n, err := store.Clean(dir); n != 3*entryBytes || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if got := kept(t, dir, 3); got != "[]" {
		t.Errorf("left %s", got)
	}

	other := t.TempDir()
	if err := os.Mkdir(filepath.Join(other, "0a"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(other, "0a", strings.Repeat("0a", 32)+"-d"), entry)
	write(t, filepath.Join(other, "README"), []byte("This directory holds cached build artifacts from the Go build system.\n"))
	before := tree(t, other)
	for _, dir := range []string{other, filepath.Join(other, "README"), "relative"} {
		if n, err := store.Clean(dir); n != 0 || err == nil {
			t.Errorf("%s: %d, %v", dir, n, err)
		}
	}
	if tree(t, other) != before {
		t.Error("something was removed")
	}
	if _, err := store.Open(store.Options{Dir: other}); err == nil {
		t.Error("another program's cache was taken for a store")
	}
}
