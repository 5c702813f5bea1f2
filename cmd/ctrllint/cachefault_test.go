package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// kept are the files of the cache that results are in, those of keys behind those of data.
func (c checkout) kept(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, kind := range []string{"d", "a"} {
		paths, err := filepath.Glob(filepath.Join(c.cache, "??", "*-"+kind))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, paths...)
	}
	return all
}

// Whatever becomes of the files in the cache, the findings are right, and the next run is answered by it again.
func TestCacheDamaged(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.uncached().run(t)
	c.gives(t, "cold", want, 4)
	files := c.kept(t)
	const results = 5 // of four packages, and of what puts them together
	if len(files) != 2*results {
		t.Fatalf("%d files", len(files))
	}
	contents := make([][]byte, len(files))
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contents[i] = data
	}
	together := slices.IndexFunc(contents[:results], func(data []byte) bool { return bytes.Contains(data, []byte("libraries")) })
	id, _, _ := strings.Cut(filepath.Base(files[together]), "-")
	one := results // the key of a package
	for bytes.Contains(contents[one], []byte(id)) {
		one++
	}
	others := []string{filepath.Join(c.cache, "total.txt"), filepath.Join(c.cache, "ctrllint-store.txt")}
	damage := map[string]func(i int) []byte{
		"truncated": func(i int) []byte { return contents[i][:len(contents[i])/2] },
		"a byte less": func(i int) []byte {
			return contents[i][:len(contents[i])-1]
		},
		"flipped": func(i int) []byte {
			data := bytes.Clone(contents[i])
			data[len(data)*2/3] ^= 1
			return data
		},
		"empty": func(int) []byte { return nil },
		"another one": func(i int) []byte { // of the same kind
			return contents[i/results*results+(i+1)%results]
		},
		"another kind": func(i int) []byte { return contents[(i+results)%len(contents)] },
	}
	for name, damaged := range damage {
		parts := []struct {
			name     string
			of       func(i int) bool
			analysed int
		}{
			{"all", func(int) bool { return true }, 4},
			{"all data", func(i int) bool { return i < results }, 4},
			{"one key", func(i int) bool { return i == one }, 1},
		}
		if name != "flipped" && name != "another one" {
			parts = parts[:1]
		}
		for _, part := range parts {
			for i, file := range files {
				if part.of(i) {
					if err := os.WriteFile(file, damaged(i), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, file := range others {
				if err := os.WriteFile(file, damaged(0), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c.gives(t, name+", "+part.name, want, part.analysed)
			c.gives(t, name+", "+part.name+", again", want, 0)
		}
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	c.gives(t, "removed", want, 4)
}

// line gives twelve packages that import each other in a row, each with a finding, so that a run takes a while.
func line(t *testing.T) checkout {
	t.Helper()
	files := make(map[string]string)
	imports, call := "", ""
	for i := range 12 {
		name := fmt.Sprintf("p%02d", i)
		code := strings.NewReplacer("package main", "package "+name, `import "sync"`, "import (\n\t\"sync\"\n"+imports+")\n\nfunc F() { main()"+call+" }")
		files[name+"/p.go"] = code.Replace(deadlock)
		imports, call = "\n\t\"example.com/m/"+name+"\"\n", "; "+name+".F()"
	}
	return checkout{dir: filetest.Module(t, files), cache: filepath.Join(t.TempDir(), "cache")}
}

// A run that is killed leaves a cache that is right, as far as it goes.
func TestCacheKilled(t *testing.T) {
	t.Parallel()
	c := line(t)
	want := c.uncached().run(t)
	if want.code != exitFindings || strings.Count(want.stdout, "(lockheld/relock)") != 12 {
		t.Fatal(want)
	}
	interrupted := 0
	for _, files := range []int{0, 1, 3, 8, 15} {
		if err := os.RemoveAll(c.cache); err != nil {
			t.Fatal(err)
		}
		cmd := c.command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var err error
		for running := true; running && len(c.kept(t)) < files; {
			select {
			case err = <-ended:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		if cmd.Process.Kill() == nil && err == nil {
			err = <-ended
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == -1 {
			interrupted++
		}
		left := len(c.kept(t))
		got, n := c.counted(t)
		if got != want || n.stored > left {
			t.Errorf("killed with %d files: %d of %d packages answered by the cache, %v", left, n.stored, n.own, got)
		}
	}
	c.gives(t, "after that", want, 0)
	if interrupted == 0 {
		t.Error("no run was killed before its end")
	}
}

// Runs that share a cache at the same time do not see each other.
func TestCacheShared(t *testing.T) {
	t.Parallel()
	c := line(t)
	want := c.uncached().run(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if got := c.run(t); got != want {
				t.Errorf("at once: %v", got)
			}
		})
	}
	wg.Wait()
	c.gives(t, "afterwards", want, 0)
}

// Where nothing can be kept, a warning says so, and all else is as it is without a cache.
func TestCacheUnusable(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.uncached().run(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ cache, warning string }{
		{file, `^ctrllint: warning: results are not kept for the next run: .*file.*not a directory\n$`},
		{filepath.Join(file, "below"), `^ctrllint: warning: results are not kept for the next run: .*not a directory\n$`},
		{"cache", `^ctrllint: warning: results are not kept for the next run: CTRLLINT_CACHE=cache is neither off nor an absolute path\n$`},
		{"./cache", `^ctrllint: warning: results are not kept for the next run: CTRLLINT_CACHE=\./cache is neither`},
		{c.dir, `^ctrllint: warning: results are not kept for the next run: .* is not a store of ctrllint: it has \S+ in it`},
	} {
		one := c
		one.cache = test.cache
		got, n := one.counted(t)
		if got.code != want.code || got.stdout != want.stdout || n.stored != 0 || !matches(test.warning, got.stderr) {
			t.Errorf("%s: %v", test.cache, got)
		}
	}
	if _, err := os.Stat(filepath.Join(c.dir, "cache")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a relative folder was made: %v", err)
	}
	entries, err := os.ReadDir(c.dir)
	if names := slices.Collect(func(yield func(string) bool) {
		for _, e := range entries {
			if !yield(e.Name()) {
				return
			}
		}
	}); err != nil || !slices.Equal(names, []string{"base", "go.mod", "mid", "side", "top"}) {
		t.Errorf("%q is in the checkout: %v", names, err)
	}
}
