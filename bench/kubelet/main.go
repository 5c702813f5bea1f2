// Command kubelet measures what ctrllint costs on the kubelet, which is the largest package of Kubernetes but for tests
// and API types, and on the tree of packages below it: CPU seconds (user and system, children included), the time on
// the clock, and the peak of resident memory.
//
//	kubelet [flags]
//
// ctrllint looks at the packages of the main module only, so the published module k8s.io/kubernetes is copied into a
// folder and made one that builds by itself: its replacements by the folders below ./staging, which a published module
// lacks, become requirements of the modules that are published from there. What ctrllint is not to pay for, the export
// data of all packages, is made before the clock starts; that takes minutes where the build cache has none of it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	kubernetes = "k8s.io/kubernetes"
	ctrllint   = "github.com/ctrllint/ctrllint/cmd/ctrllint"
)

// patterns are what is measured: the package, and the tree.
var patterns = []string{"./pkg/kubelet", "./pkg/kubelet/..."}

func main() {
	version := flag.String("version", "v1.36.3", "the `version` of "+kubernetes)
	binary := flag.String("ctrllint", "", "the ctrllint `binary`; built if empty")
	dir := flag.String("dir", "", "the `folder` for the module, kept for the next time; a temporary one if empty")
	runs := flag.Int("runs", 3, "how often each runs; the median is printed")
	findings := flag.Bool("findings", false, "print what ctrllint finds")
	flag.Parse()
	if flag.NArg() != 0 || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := bench(*version, *binary, *dir, *runs, *findings); err != nil {
		fmt.Fprintln(os.Stderr, "kubelet:", err)
		os.Exit(1)
	}
}

func bench(version, binary, dir string, runs int, findings bool) (err error) {
	temp, err := os.MkdirTemp("", "kubelet")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if binary == "" {
		binary = filepath.Join(temp, "ctrllint")
		if _, err := goCommand("", "build", "-o", binary, ctrllint); err != nil {
			return err
		}
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	if dir == "" {
		dir = filepath.Join(temp, "module")
	}
	if err := unpack(version, dir); err != nil {
		return err
	}

	fmt.Printf("compiling %s@%s\n", kubernetes, version)
	if _, err := goCommand(dir, append([]string{"list", "-mod=mod", "-export", "-deps"}, patterns...)...); err != nil {
		return err
	}
	fmt.Printf("%-20s %9s %9s %9s %9s %9s %9s\n", "median of "+fmt.Sprint(runs), "packages", "lines", "CPU s", "wall s", "peak MiB", "findings")
	for _, pattern := range patterns {
		packages, lines, err := size(dir, pattern)
		if err != nil {
			return err
		}
		var costs []cost
		var found []byte
		for range runs {
			c, out, err := measure(dir, binary, pattern)
			if err != nil {
				return err
			}
			costs, found = append(costs, c), out
		}
		m := median(costs)
		fmt.Printf("%-20s %9d %9d %9.2f %9.2f %9d %9d\n",
			pattern, packages, lines, m.cpu.Seconds(), m.wall.Seconds(), m.peak/1024, count(found))
		if findings {
			fmt.Printf("%s", found)
		}
	}
	return nil
}

// unpack makes dir a main module from the published one, unless it is there.
func unpack(version, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	out, err := goCommand("", "mod", "download", "-json", kubernetes+"@"+version)
	if err != nil {
		return err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	edits, err := published(module.Dir, version)
	if err != nil {
		return err
	}
	mod, err := goCommand(module.Dir, append([]string{"mod", "edit", "-print"}, edits...)...)
	if err != nil {
		return err
	}
	if err := copyModule(module.Dir, dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
}

// copyModule copies what is below from to a folder that can be written to. It leaves out the workspace and the folder
// vendor, which are about modules that are not there, and go.mod, which comes last and says that all the rest did.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case rel == "vendor":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case rel == "go.mod", rel == "go.work", rel == "go.work.sum":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// published are the edits of the go.mod in dir that replace each folder below ./staging by the module of that name:
// with v1.x.y of Kubernetes goes v0.x.y of its modules.
func published(dir, version string) ([]string, error) {
	rest, ok := strings.CutPrefix(version, "v1.")
	if !ok {
		return nil, fmt.Errorf("%s is no version v1.x.y of Kubernetes", version)
	}
	out, err := goCommand(dir, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, err
	}
	var edits []string
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, "./staging/") {
			edits = append(edits, fmt.Sprintf("-replace=%s=%s@v0.%s", r.Old.Path, r.Old.Path, rest))
		}
	}
	return edits, nil
}

// environment keeps an enclosing workspace out.
func environment() []string { return append(os.Environ(), "GOWORK=off") }

// goCommand runs the go command, which must succeed, and gives what it printed.
func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

// size counts the packages that pattern names, and the lines of their files.
func size(dir, pattern string) (packages, lines int, err error) {
	out, err := goCommand(dir, "list", "-f", "{{$d := .Dir}}package{{range .GoFiles}}\n{{$d}}/{{.}}{{end}}", pattern)
	if err != nil {
		return 0, 0, err
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if name == "package" {
			packages++
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, 0, err
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	return packages, lines, nil
}

// cost is what one run took.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // KiB; the largest single process, not the sum
}

// measure runs ctrllint and gives what it printed. An exit code of 1 says that there are findings.
func measure(dir, binary, pattern string) (cost, []byte, error) {
	cmd := exec.Command(binary, pattern)
	cmd.Dir, cmd.Env = dir, environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return cost{}, nil, fmt.Errorf("ctrllint %s: %w\n%s", pattern, err, stderr.Bytes())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return cost{}, nil, errors.New("the system does not tell what a process used")
	}
	// The usage of a process that was waited for includes the children that it has waited for itself.
	return cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, usage.Maxrss}, stdout.Bytes(), nil
}

// median gives the run with the median CPU time, with the highest of all peaks.
func median(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu - b.cpu) })
	m := costs[len(costs)/2]
	for _, c := range costs {
		m.peak = max(m.peak, c.peak)
	}
	return m
}

// count counts findings: what belongs to one stands below it, indented.
func count(found []byte) int {
	n := 0
	for line := range bytes.Lines(found) {
		if line[0] != '\t' && line[0] != '\n' {
			n++
		}
	}
	return n
}
