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

// results is how many the cache of a row has: of four packages, and of the two passes that put them together.
const results = 6

// A fullCache is a row with a cache that has all of it, and what is in its files, those of keys behind those of data.
type fullCache struct {
	checkout
	want     answer // of each run
	files    []string
	contents [][]byte
	others   []string // which the cache has beside them
}

// fill gives a row with a full cache.
func fill(t *testing.T) fullCache {
	t.Helper()
	c := fullCache{checkout: row(t, locking)}
	c.want = c.uncached().run(t)
	c.gives(t, "cold", c.want, 4)
	c.files = c.kept(t)
	if len(c.files) != 2*results {
		t.Fatalf("%d files", len(c.files))
	}
	for _, name := range c.files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c.contents = append(c.contents, data)
	}
	c.others = []string{filepath.Join(c.cache, "total.txt"), filepath.Join(c.cache, "ctrllint-store.txt")}
	return c
}

// damage spoils those files of the cache. It fails t unless the next run, which analyses so many packages, and the
// one behind it are right.
func (c fullCache) damage(t *testing.T, what string, of func(i int) bool, damaged func(i int) []byte, analysed int) {
	t.Helper()
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range c.files {
		if of(i) {
			write(name, damaged(i))
		}
	}
	for _, name := range c.others {
		write(name, damaged(0))
	}
	c.gives(t, what, c.want, analysed)
	c.gives(t, what+", again", c.want, 0)
}

// Whatever becomes of the files in the cache, the findings are right, and the next run is answered by it again.
func TestCacheDamaged(t *testing.T) {
	t.Parallel()
	c := fill(t)
	c.damage(t, "flipped", every, c.flipped, 4)
	c.damage(t, "a flipped key", func(i int) bool { return i == c.keyOfPackage() }, c.flipped, 1)
	for _, file := range c.files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	c.gives(t, "removed", c.want, 4)
}

func TestExhaustiveCacheDamaged(t *testing.T) {
	t.Parallel()
	c := fill(t)
	another := func(i int) []byte { return c.contents[i/results*results+(i+1)%results] } // of the same kind
	for what, damaged := range map[string]func(i int) []byte{
		"truncated":    func(i int) []byte { return c.contents[i][:len(c.contents[i])/2] },
		"a byte less":  func(i int) []byte { return c.contents[i][:len(c.contents[i])-1] },
		"empty":        func(int) []byte { return nil },
		"another one":  another,
		"another kind": func(i int) []byte { return c.contents[(i+results)%len(c.contents)] },
	} {
		c.damage(t, what, every, damaged, 4)
	}
	for what, damaged := range map[string]func(i int) []byte{"flipped": c.flipped, "another one": another} {
		c.damage(t, what+", all data", func(i int) bool { return i < results }, damaged, 4)
		c.damage(t, what+", one key", func(i int) bool { return i == c.keyOfPackage() }, damaged, 1)
	}
}

func every(int) bool { return true }

// flipped is a file with a bit that is another one.
func (c fullCache) flipped(i int) []byte {
	data := bytes.Clone(c.contents[i])
	data[len(data)*2/3] ^= 1
	return data
}

// keyOfPackage is the file with the key of a package, which has a finding in a file, and not of what puts them together.
func (c fullCache) keyOfPackage() int {
	found := slices.IndexFunc(c.contents[:results], func(data []byte) bool {
		return bytes.Contains(data, []byte(".go")) && !bytes.Contains(data, []byte("libraries"))
	})
	id, _, _ := strings.Cut(filepath.Base(c.files[found]), "-")
	return results + slices.IndexFunc(c.contents[results:], func(key []byte) bool { return bytes.Contains(key, []byte(id)) })
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
	survives(t, 1, 8)
}

func TestExhaustiveCacheKilled(t *testing.T) {
	t.Parallel()
	survives(t, 0, 1, 2, 3, 5, 8, 12, 15, 20)
}

// survives kills runs once the cache has so many files, and looks at what the next one says.
func survives(t *testing.T, files ...int) {
	t.Helper()
	c := line(t)
	want := c.uncached().run(t)
	if want.code != exitFindings || strings.Count(want.stdout, "(lockheld/relock)") != 12 {
		t.Fatal(want)
	}
	interrupted := 0
	for _, files := range files {
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
		{file, `^ctrllint: warning: results are not cached: .*file.*not a directory\n$`},
		{filepath.Join(file, "below"), `^ctrllint: warning: results are not cached: .*not a directory\n$`},
		{"cache", `^ctrllint: warning: results are not cached: CTRLLINT_CACHE=cache is neither off nor an absolute path\n$`},
		{"./cache", `^ctrllint: warning: results are not cached: CTRLLINT_CACHE=\./cache is neither`},
		{c.dir, `^ctrllint: warning: results are not cached: .* is not a store of ctrllint: it has \S+ in it`},
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
