// Command kubelet measures what ctrllint costs on the kubelet, which is the largest package of Kubernetes but for tests
// and API types, and on the tree of packages below it: CPU seconds (user and system, children included), the time on
// the clock, and the peak of resident memory.
//
//	kubelet [flags]
//
// ctrllint looks at the packages of the main module only, so the published module k8s.io/kubernetes is copied into a
// folder and made one that builds by itself. Nothing has to be compiled; the modules are downloaded before the clock
// starts, and nothing is kept from one run to the next.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/kubernetes"
	"github.com/ctrllint/ctrllint/internal/measure"
)

// patterns are what is measured: the package, and the tree.
var patterns = []string{"./pkg/kubelet", "./pkg/kubelet/..."}

func main() {
	version := flag.String("version", kubernetes.Version, "the `version` of "+kubernetes.Path)
	binary := flag.String("ctrllint", "", "the ctrllint `binary`; built if empty")
	dir := flag.String("dir", "", "the `folder` for the module, kept for the next time; a temporary one if empty")
	runs := flag.Int("runs", 3, "how often each runs; the median is printed")
	findings := flag.Bool("findings", false, "print what ctrllint finds")
	flag.Parse()
	if flag.NArg() != 0 || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, *version, *binary, *dir, *runs, *findings)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubelet:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, version, binary, dir string, runs int, findings bool) (err error) {
	temp, err := os.MkdirTemp("", "kubelet")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if binary, err = gocommand.Tool(ctx, binary, temp); err != nil {
		return err
	}
	if dir == "" {
		dir = filepath.Join(temp, "module")
	}
	if err := kubernetes.Unpack(ctx, version, dir); err != nil {
		return err
	}

	fmt.Printf("listing %s@%s\n", kubernetes.Path, version)
	if _, err := gocommand.Run(ctx, dir, nil, append([]string{"list", "-mod=mod", "-deps"}, patterns...)...); err != nil {
		return err
	}
	fmt.Printf("%-20s %9s %9s %9s %9s %9s %9s\n", "median of "+fmt.Sprint(runs), "packages", "lines", "CPU s", "wall s", "peak MiB", "findings")
	for _, pattern := range patterns {
		packages, lines, err := size(ctx, dir, pattern)
		if err != nil {
			return err
		}
		var costs []measure.Cost
		var found []byte
		for range runs {
			cmd := exec.CommandContext(ctx, binary, pattern)
			cmd.Dir, cmd.Env = dir, gocommand.Environment("CTRLLINT_CACHE=off")
			c, out, err := measure.Run(cmd)
			if err != nil {
				return err
			}
			if c.Exit > 1 {
				return fmt.Errorf("ctrllint %s: exit code %d\n%s", pattern, c.Exit, out.Stderr)
			}
			costs, found = append(costs, c), out.Stdout
		}
		m := measure.Median(costs)
		fmt.Printf("%-20s %9d %9d %9.2f %9.2f %9d %9d\n",
			pattern, packages, lines, m.CPU.Seconds(), m.Wall.Seconds(), m.Peak/1024, count(found))
		if findings {
			fmt.Printf("%s", found)
		}
	}
	return nil
}

// size counts the packages that pattern names, and the lines of their files.
func size(ctx context.Context, dir, pattern string) (packages, lines int, err error) {
	out, err := gocommand.Run(ctx, dir, nil, "list", "-f", "{{$d := .Dir}}package{{range .GoFiles}}\n{{$d}}/{{.}}{{end}}", pattern)
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
