package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/store"
)

// The environment variables for the folder of the cache, or off, and of the go command for a program by which
// machines share caches.
const (
	cacheVariable   = "CTRLLINT_CACHE"
	programVariable = "GOCACHEPROG"
)

// cacheChoice is the value of the flag -cache.
type cacheChoice string

func (c *cacheChoice) String() string {
	if *c == "" {
		return "on"
	}
	return string(*c)
}

func (c *cacheChoice) Set(value string) error {
	if value != "on" && value != "off" {
		return errors.New("want on or off")
	}
	*c = cacheChoice(value)
	return nil
}

// cacheDir returns the folder of the cache, empty if the environment turns it off.
func cacheDir() (string, error) {
	switch dir := os.Getenv(cacheVariable); {
	case dir == "off":
		return "", nil
	case dir == "":
		return store.DefaultDir()
	case !filepath.IsAbs(dir):
		return "", fmt.Errorf("%s=%s is neither off nor an absolute path", cacheVariable, dir)
	default:
		return dir, nil
	}
}

// openCache opens the cache, unless it is off. A failure is a warning.
func openCache(choice cacheChoice, warn func(string)) *store.Store {
	if choice == "off" {
		return nil
	}
	dir, err := cacheDir()
	if err == nil && dir == "" {
		return nil
	}
	var s *store.Store
	if err == nil {
		s, err = store.Open(store.Options{Dir: dir, Program: os.Getenv(programVariable)})
	}
	if err != nil {
		warn(fmt.Sprintf("results are not cached: %v", err))
		return nil
	}
	return s
}

// cleanCache removes the results of earlier runs.
func cleanCache(_ []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(stderr, "ctrllint: clean:", err)
		return exitFailure
	}
	if len(args) > 0 {
		return fail(errors.New("takes no arguments"))
	}
	dir, err := cacheDir()
	if err != nil {
		return fail(err)
	}
	if dir == "" {
		return fail(fmt.Errorf("%s=off: there is no cache", cacheVariable))
	}
	removed, err := store.Clean(dir)
	if err != nil {
		return fail(err)
	}
	size := fmt.Sprintf("%.1f MB", float64(removed)/1e6)
	if removed < 1e6 {
		size = fmt.Sprintf("%d kB", removed/1e3)
	}
	fmt.Fprintf(stdout, "%s removed from %s\n", size, dir)
	return exitClean
}
