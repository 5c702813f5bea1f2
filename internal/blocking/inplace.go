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

// inPlace are the functions of libraries that call a function which they are given before they return, on the same goroutine, and
// the indexes of these arguments: what `make summaries` has found in their source, and two that keep it in a struct on the way.
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
			panic(err) // the text is ours
		}
		known[s] = append(known[s], i)
	}
	return known
})

// CalledInPlace are the indexes (without the receiver) of the arguments that fn, whose body is not analysed, calls before it
// returns. Of functions that nothing is known of, the name may say that they call one for each of their elements.
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

// iterates reports whether a function says by its name that it calls one for each of its elements, and not that this happens
// elsewhere, or later.
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
