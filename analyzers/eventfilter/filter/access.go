package filter

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/program"
)

// accessSummary is what a function reads and writes of the objects, and of the maps of strings, that it is given.
type accessSummary struct {
	Reads     []factRead // of annotations
	Looks     []lookedAt // that it looks at in maps
	Sets      []string   // the keys under which it, or what it calls, puts something into maps
	SetParams []int      // the parameters that it takes such keys from
	Frees     []int      // those of which it removes finalizers
	Status    []int      // those whose status it reads
}

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (f *accessSummary) String() string {
	var all []string
	part := func(does string, what ...string) {
		if len(what) > 0 {
			all = append(all, does+" "+strings.Join(what, ", "))
		}
	}
	params := func(of []int) (names []string) {
		for _, i := range of {
			names = append(names, param(i))
		}
		return names
	}
	var reads, looks []string
	for _, r := range f.Reads {
		reads = append(reads, r.String())
	}
	for _, l := range f.Looks {
		looks = append(looks, fmt.Sprint(param(l.Param), l.Keys))
	}
	part("reads", reads...)
	part("looks only at", looks...)
	part("sets", slices.Concat(f.Sets, params(f.SetParams))...)
	part("removes finalizers of", params(f.Frees)...)
	part("reads the status of", params(f.Status)...)
	return strings.Join(all, "; ")
}

func param(i int) string { return fmt.Sprintf("p%d", i) }

// export tells packages that import this one what of does.
func export(pass *analysis.Pass, of func(*ssa.Function) *accessSummary) {
	for _, fn := range program.Of(pass).Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if f := of(fn); f.Reads != nil || f.Looks != nil || f.Sets != nil || f.SetParams != nil || f.Frees != nil || f.Status != nil {
			amend(pass, obj, func(to *Fact) { to.Access = f })
		}
	}
}

// RunBeside exports what packages that import this one have to know of its functions, where it has nothing of the cluster's but objects that other packages declare.
func RunBeside(pass *analysis.Pass) {
	export(pass, func(fn *ssa.Function) *accessSummary { return &accessSummary{Status: waitedFor(fn)} })
}
