// Command typesource compares two ways to the types of a module's dependencies: from their source without function
// bodies, as ctrllint has them, and from export data in the form of golang.org/x/tools/go/gcexportdata, which has to be
// written once and can then be read.
//
//	typesource DIR
//
// It takes the packages that ./... of DIR imports directly, and prints the CPU seconds of each way.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: typesource DIR")
		os.Exit(2)
	}
	if err := compare(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "typesource:", err)
		os.Exit(1)
	}
}

func compare(dir string) error {
	g, err := load.List(load.Config{Context: context.Background(), Dir: dir, Env: os.Environ(), Patterns: []string{"./..."}})
	if err != nil {
		return err
	}
	direct := make(map[*packages.Package]bool)
	for _, p := range g.Own {
		for _, i := range p.Imports {
			if !g.IsOwn(i) && i.PkgPath != "unsafe" {
				direct[i] = true
			}
		}
	}
	var wanted []*packages.Package
	for p := range direct {
		wanted = append(wanted, p)
	}
	slices.SortFunc(wanted, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })

	pkgs := make([]*types.Package, len(wanted))
	source, err := measure(func() error { return check(g, wanted, pkgs) })
	if err != nil {
		return err
	}
	data := make([][]byte, len(wanted))
	size := 0
	write, err := measure(func() error {
		for i, p := range pkgs {
			var b bytes.Buffer
			if err := gcexportdata.Write(&b, g.Fset, p); err != nil {
				return err
			}
			data[i] = b.Bytes()
			size += b.Len()
		}
		return nil
	})
	if err != nil {
		return err
	}
	read, err := measure(func() error {
		imports, fset := make(map[string]*types.Package), token.NewFileSet()
		for i, d := range data {
			if _, err := gcexportdata.Read(bytes.NewReader(d), fset, imports, wanted[i].PkgPath); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d packages are imported directly; %d of %d dependencies were type-checked for them\n", len(wanted), g.Signatures(), g.Dependencies())
	fmt.Printf("%-40s %6.2f CPU s\n", "types from source", source.Seconds())
	fmt.Printf("%-40s %6.2f CPU s, %d MB\n", "export data, written", write.Seconds(), size>>20)
	fmt.Printf("%-40s %6.2f CPU s\n", "export data, read", read.Seconds())
	return nil
}

// check fills pkgs with the types of wanted, on all processors.
func check(g *load.Graph, wanted []*packages.Package, pkgs []*types.Package) error {
	errs := make([]error, len(wanted))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				pkgs[i], errs[i] = g.Types(wanted[i])
			}
		})
	}
	for i := range wanted {
		next <- i
	}
	close(next)
	wg.Wait()
	return errors.Join(errs...)
}

// measure gives the CPU time of the process that f takes.
func measure(f func() error) (time.Duration, error) {
	before, err := used()
	if err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	after, err := used()
	return after - before, err
}

func used() (time.Duration, error) {
	var r syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), err
}
