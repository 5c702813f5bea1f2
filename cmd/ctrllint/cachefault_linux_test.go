package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// mount gives a file system in memory of that size, which can be made read-only.
func mount(t *testing.T, size string) (dir string, readOnly func()) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir, func() {
		// A test that runs beside this one may have forked while a file was open here for writing: the child holds it until
		// it execs.
		var err error
		for range 200 {
			if err = syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); !errors.Is(err, syscall.EBUSY) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A disk that is full costs the results that have no room, and nothing else.
func TestCacheDiskFull(t *testing.T) {
	t.Parallel()
	c := line(t)
	want := c.uncached().run(t)
	for _, size := range []string{"4k", "32k", "64k"} {
		c.cache, _ = mount(t, size)
		for range 3 {
			got, n := c.counted(t)
			if got.code != want.code || got.stdout != want.stdout || n.stored == n.own || !matches(`^ctrllint: warning: .*no space left on device.*\n$`, got.stderr) {
				t.Errorf("%s: %d of %d answered by the cache, %v", size, n.stored, n.own, got)
			}
		}
	}
	// There is room for a few results, which serve a run that needs no more than those.
	c = checkout{dir: filetest.Module(t, map[string]string{"p/p.go": deadlock})}
	c.cache, _ = mount(t, "128k")
	if got := c.run(t); got.code != exitFindings || got.stderr != "" {
		t.Error(got)
	}
	if _, n := c.counted(t); n.stored != 1 {
		t.Errorf("%+v", n)
	}
}

// Results belong to the program that runs, also where another version takes its place in the meantime.
func TestCacheReplacedProgram(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.uncached().run(t)
	program, err := os.ReadFile(tool)
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c.tool = filepath.Join(dir, "ctrllint")
	next := c.tool + ".next" // the same, but for a byte behind its end
	script := fmt.Sprintf("#!/bin/sh\ntest ! -e %s || mv %[1]s %s\nexec %s \"$@\"\n", next, c.tool, path)
	for name, content := range map[string][]byte{c.tool: program, next: append(program, 0), filepath.Join(dir, "go"): []byte(script)} {
		if err := os.WriteFile(name, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
	c.gives(t, "the first one", want, 4)
	if _, err := os.Stat(next); err == nil {
		t.Fatal("it was not replaced")
	}
	c.gives(t, "the next one", want, 4)
	c.gives(t, "the next one, warm", want, 0)
	c.tool = tool
	c.gives(t, "the first one again", want, 0)
}

// A cache that can only be read is one.
func TestCacheReadOnly(t *testing.T) {
	t.Parallel()
	c := row(t, baseGo)
	want := c.uncached().run(t)
	full, fullReadOnly := mount(t, "2m")
	empty, emptyReadOnly := mount(t, "2m")
	c.cache = full
	c.gives(t, "cold", want, 4)
	fullReadOnly()
	emptyReadOnly()
	c.gives(t, "warm", want, 0)
	c.write(t, "base/base.go", locking)
	want = c.uncached().run(t)
	got, n := c.counted(t)
	if got.code != want.code || got.stdout != want.stdout || n.stored != 1 || !matches(`^ctrllint: warning: .* cannot be written, and not all that this run computed is kept: .*read-only file system\n$`, got.stderr) {
		t.Errorf("%+v: %v", n, got)
	}
	c.cache = empty
	if got := c.run(t); got.code != want.code || got.stdout != want.stdout || !matches(`^ctrllint: warning: results are not cached: .*read-only file system\n$`, got.stderr) {
		t.Error(got)
	}
	if got := c.run(t, "clean"); got.code != exitClean {
		t.Error(got)
	}
	c.cache = full
	if got := c.run(t, "clean"); got.code != exitFailure || !matches(`^ctrllint: clean: .*read-only file system`, got.stderr) {
		t.Error(got)
	}
	if _, err := os.Stat(c.kept(t)[0]); err != nil {
		t.Error(err)
	}
}
