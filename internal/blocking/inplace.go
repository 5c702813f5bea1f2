package blocking

import (
	_ "embed"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

//go:generate go run ./inplacegen

//go:embed inplace.txt
var inPlaceTable string

// inPlace maps functions of libraries that call a function argument before they return, on the same goroutine, to the
// indices of these arguments: the results of `make summaries`, and two functions that store it in a struct first.
var inPlace = sync.OnceValue(func() map[kubeapi.Symbol][]int {
	known := map[kubeapi.Symbol][]int{
		{Pkg: "sort", Name: "Slice"}:       {1},
		{Pkg: "sort", Name: "SliceStable"}: {1},
	}
	for line := range strings.Lines(inPlaceTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		s := kubeapi.Symbol{Pkg: f[0], Recv: strings.TrimPrefix(f[1], "-"), Name: f[2]}
		i, err := strconv.Atoi(f[3])
		if err != nil {
			panic(err) // the table is embedded
		}
		known[s] = append(known[s], i)
	}
	return known
})

// CalledInPlace returns the indices (without the receiver) of the arguments that fn, whose body is not analysed,
// calls before it returns. A function that is not in the table counts by its name if that says that it iterates.
func CalledInPlace(fn *types.Func) []int {
	if fn == nil {
		return nil
	}
	if known, ok := inPlace()[kubeapi.SymbolOf(fn)]; ok {
		return known
	}
	if !iterates(fn.Name()) {
		return nil
	}
	params := fn.Signature().Params()
	for i := range params.Len() {
		if _, ok := params.At(i).Type().Underlying().(*types.Signature); ok {
			return []int{i}
		}
	}
	return nil
}

// RunsAtOnce reports whether in is a call of the closure, or of a function that calls it before it returns.
func RunsAtOnce(in ssa.Instruction, mc *ssa.MakeClosure) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	callee, args := flow.Callee(&call.Call), flow.Args(&call.Call)
	if callee == nil {
		return call.Call.Value == ssa.Value(mc)
	}
	return slices.ContainsFunc(CalledInPlace(callee), func(i int) bool {
		return i < len(args) && flow.Unwrap(args[i]) == ssa.Value(mc)
	})
}

// iterates reports whether the name of a function says that it calls a function for each element, and not that it
// does so on other goroutines, or later.
func iterates(name string) bool {
	w := words.Of(name)
	if len(w) > 1 && w[0] == "for" {
		w = w[1:]
	}
	if !slices.Contains([]string{"ascend", "descend", "range", "each", "iterate", "walk", "visit"}, w[0]) {
		return false
	}
	return !words.Has(name, "async", "later", "background", "delayed", "after")
}
