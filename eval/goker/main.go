// Command goker runs ctrllint on the kernels of GoKer, the part of GoBench (Yuan et al., CGO 2021) that cuts real Go
// concurrency bugs down to one file each, and says which of them lockheld finds.
//
//	goker [-ctrllint PATH] DIR
//
// DIR is a checkout of github.com/timmyyuan/gobench, which has no licence: nothing of it is kept here but the names of
// its blocking kernels and, for each, what static lock reasoning can see of it and in which lines.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed kernels.tsv
var kernels string

// classes say what it takes to find the bug of a kernel.
var classes = []struct{ name, meaning string }{
	{"y", "static calls suffice"},
	{"y-dyn", "calls through interfaces or function values"},
	{"stretch", "more than that"},
	{"n", "no lock is held where it blocks"},
}

func main() {
	tool := flag.String("ctrllint", "bin/ctrllint", "the ctrllint `binary`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: goker [-ctrllint PATH] DIR")
		os.Exit(2)
	}
	if err := run(*tool, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "goker:", err)
		os.Exit(1)
	}
}

// place is a line of a file.
type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// finding is what of ctrllint's JSON matters here.
type finding struct {
	Rule    string  `json:"rule"`
	Message string  `json:"message"`
	Related []place `json:"related"`
	place
}

func run(tool, suite string) error {
	tool, err := filepath.Abs(tool)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "goker")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	n, err := copyKernels(suite, dir)
	if err != nil {
		return err
	}
	cmd := exec.Command(tool, "-format", "json", "-tests", "-nursery", "./...") // the kernels are tests
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return err
	}
	found := map[string][]finding{} // by kernel
	for line := range strings.Lines(string(out)) {
		var f finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return err
		}
		if f.Rule == "lockheld" {
			kernel := filepath.Dir(f.File)
			found[kernel] = append(found[kernel], f)
		}
	}
	fmt.Printf("%d kernels\n", n)
	compare(found)
	return nil
}

// copyKernels writes the kernels of suite into a module at dir, as ordinary packages with unchanged lines.
func copyKernels(suite, dir string) (int, error) {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module goker\n\ngo 1.24\n"), 0o644); err != nil {
		return 0, err
	}
	files, err := filepath.Glob(filepath.Join(suite, "gobench", "goker", "*", "*", "*", "*_test.go"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("no kernels below %s", filepath.Join(suite, "gobench", "goker"))
	}
	for _, file := range files {
		parts := strings.Split(filepath.ToSlash(file), "/")
		kind, project, number := parts[len(parts)-4], parts[len(parts)-3], parts[len(parts)-2]
		to := filepath.Join(dir, kind, project+"_"+number)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return 0, err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		name := strings.TrimSuffix(filepath.Base(file), "_test.go") + ".go"
		if err := os.WriteFile(filepath.Join(to, name), src, 0o644); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// compare prints how many kernels of each class have a finding in one of their lines, and every other finding.
func compare(found map[string][]finding) {
	hits, totals, missed := map[string]int{}, map[string]int{}, map[string][]string{}
	for line := range strings.Lines(kernels) {
		cols := strings.Split(strings.TrimRight(line, "\n"), "\t")
		id, class, want := "blocking/"+cols[0], cols[1], numbers(cols[2])
		totals[class]++
		hit := false
		found[id] = slices.DeleteFunc(found[id], func(f finding) bool {
			at := slices.ContainsFunc(append(f.Related, f.place), func(p place) bool { return slices.Contains(want, p.Line) })
			hit = hit || at
			return at
		})
		if hit {
			hits[class]++
		} else {
			missed[class] = append(missed[class], cols[0])
		}
	}
	for _, c := range classes {
		fmt.Printf("%-8s %2d of %2d found (%s)", c.name, hits[c.name], totals[c.name], c.meaning)
		if c.name != "n" && len(missed[c.name]) > 0 {
			fmt.Printf("; missed: %s", strings.Join(missed[c.name], " "))
		}
		fmt.Println()
	}
	for _, kernel := range slices.Sorted(maps.Keys(found)) {
		for _, f := range found[kernel] {
			fmt.Printf("other: %s:%d: %s\n", f.File, f.Line, f.Message)
		}
	}
}

func numbers(s string) []int {
	var out []int
	for _, x := range strings.Split(s, ",") {
		if n, err := strconv.Atoi(x); err == nil {
			out = append(out, n)
		}
	}
	return out
}
