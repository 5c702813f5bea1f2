// Command series measures how the cost of the lock analysis grows with the package under analysis.
//
//	series [flags]
//
// It generates packages of 1,000, 10,000 and 100,000 calls between their functions, in three shapes: a random DAG, one
// chain of calls, and strongly connected components of 10 to 10,000 functions. What is measured is the lock analysis
// and the rule lockheld, in process: CPU seconds of all threads, the bytes allocated in total, and those that the
// result keeps. Parsing, type-checking and SSA construction come before.
//
// Events are the acquisitions and waits that the analysis saw, each again in every caller up to the caps of a summary:
// the size of the result, equal on every machine.
//
// The last column is time/(n log n), where n is the number of calls, over that of the shape's first row: where it does
// not grow, the cost does not grow faster than n log n. The components share one first row: no growth there says that
// their size does not matter either.
//
// With -forms it measures all rules on other shapes of code: one thing n times, such as the statements of a function or
// the functions that use one channel. The last columns are the exponents of the growth from the first to the last size.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"

	"github.com/ctrllint/ctrllint/analyzers"
)

func main() {
	most := flag.Int("max", 100_000, "leave out packages with more calls than `n`")
	runs := flag.Int("runs", 3, "how often each package is analysed; the least CPU time is printed")
	code := flag.Bool("forms", false, "measure all rules on the shapes of code, instead of the call graphs")
	only := flag.String("only", "", "of those the ones whose names begin with `prefix`")
	size := flag.Int("n", 500, "the size of the smallest of them; the others are 2, 4 and 8 times as large")
	flag.Parse()
	if flag.NArg() != 0 || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	measure := func() error { return series(*most, *runs) }
	if *code {
		measure = func() error { return growth(*only, *size, *runs) }
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "series:", err)
		os.Exit(1)
	}
}

// row is one package to measure; component is the size of an scc's components.
type row struct {
	shape     shape
	component int
	edges     int
}

func (r row) String() string {
	if r.shape == scc {
		return fmt.Sprintf("%s of %d", r.shape, r.component)
	}
	return string(r.shape)
}

// rows are the packages in the order of the table.
func rows() []row {
	sizes := []int{1_000, 10_000, 100_000}
	var out []row
	for _, s := range []shape{dag, chain} {
		for _, n := range sizes {
			out = append(out, row{shape: s, edges: n})
		}
	}
	for _, component := range []int{10, 100, 1_000, 10_000} {
		for _, n := range sizes {
			if n/degree >= component {
				out = append(out, row{scc, component, n})
			}
		}
	}
	return out
}

// growth measures all rules on the forms whose names begin with only.
func growth(only string, size, runs int) error {
	runtime.GOMAXPROCS(1)
	l := newLoader()
	fmt.Printf("%-32s", "form")
	for i := range 4 {
		fmt.Printf(" %9s %9s", fmt.Sprintf("%d: s", size<<i), "MB")
	}
	fmt.Printf(" %9s %9s\n", "CPU n^", "MB n^")
	for _, f := range forms() {
		if !strings.HasPrefix(f.name, only) {
			continue
		}
		fmt.Printf("%-32s", f.name)
		var row [4]cost
		for i := range row {
			pass, err := l.load(f.write(size << i))
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			for r := range runs {
				c, err := measured(pass, analyzers.All()...)
				if err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
				if r == 0 || c.cpu < row[i].cpu {
					row[i] = c
				}
			}
			fmt.Printf(" %9.3f %9.1f", row[i].cpu.Seconds(), float64(row[i].bytes)/1e6)
		}
		fmt.Printf(" %9.2f %9.2f\n", math.Log2(row[3].cpu.Seconds()/row[0].cpu.Seconds())/3, math.Log2(float64(row[3].bytes)/float64(row[0].bytes))/3)
	}
	return nil
}

func series(most, runs int) error {
	// The analysis is sequential: a second processor would only let the garbage collector use, and count, idle time.
	runtime.GOMAXPROCS(1)
	l := newLoader()
	fmt.Printf("%-12s %10s %10s %10s %10s %10s %10s %8s\n", "shape", "functions", "calls", "events", "CPU s", "MB", "MB kept", "ratio")
	base := map[shape]float64{}
	for _, r := range rows() {
		if r.edges > most {
			continue
		}
		p := generate(r.shape, r.edges, r.component)
		pass, err := l.load(p)
		if err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
		var best cost
		for i := range runs {
			c, err := analyse(pass)
			if err != nil {
				return fmt.Errorf("%s: %w", r, err)
			}
			if i == 0 || c.cpu < best.cpu {
				best = c
			}
		}
		n := float64(p.edges)
		unit := best.cpu.Seconds() / (n * math.Log(n))
		if base[r.shape] == 0 {
			base[r.shape] = unit
		}
		fmt.Printf("%-12s %10d %10d %10d %10.3f %10.1f %10.1f %8.2f\n", r, p.funcs, p.edges,
			best.events, best.cpu.Seconds(), float64(best.bytes)/1e6, float64(best.kept)/1e6, unit/base[r.shape])
	}
	return nil
}
