package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Pointers is the package with helpers for pointers to values.
const Pointers = "k8s.io/utils/ptr"

// Functions of libraries that are about the order of lists.
var (
	// Unordered return the elements of a map or set, in an order that differs from call to call.
	Unordered = union(symbols("maps", "Keys Values"), symbols("golang.org/x/exp/maps", "Keys Values"),
		symbols("github.com/samber/lo", "Keys Values Entries ToPairs MapToSlice"),
		symbols(apiMachinery+"/pkg/util/sets", "Set.UnsortedList String.UnsortedList Int.UnsortedList Int32.UnsortedList Int64.UnsortedList"))
	// keepOrder return a list or text that has the order of an argument.
	keepOrder = union(symbols("slices", "Collect Clone Concat Compact CompactFunc Insert"), symbols("strings", "Join"),
		symbols("github.com/samber/lo", "Map Filter FilterMap FlatMap Flatten Uniq UniqBy Reject FilterReject Compact"),
		symbols("fmt", "Sprint Sprintf Sprintln"), symbols("encoding/json", "Marshal MarshalIndent"),
		symbols("sigs.k8s.io/yaml", "Marshal"), symbols("encoding/hex", "EncodeToString"),
		symbols("encoding/base64", "Encoding.EncodeToString"), symbols("strings", "Builder.String"), symbols("bytes", "Buffer.String Buffer.Bytes"))
	// appenders add their arguments to what they are called on, or to their first one.
	appenders = union(symbols("strings", "Builder.WriteString"), symbols("bytes", "Buffer.WriteString Buffer.Write"),
		symbols("io", "Writer.Write"), symbols("fmt", "Fprintf Fprint Fprintln"))
)

// KeepsOrder reports whether the results of fn have the order of the list or text that it is given.
func KeepsOrder(fn *types.Func) bool {
	s := SymbolOf(fn)
	return keepOrder[s] || strings.HasPrefix(s.Pkg, "crypto/") || strings.HasPrefix(s.Pkg, "hash")
}

// AppendsText reports whether fn adds its arguments to its receiver, or to its first argument.
func AppendsText(fn *types.Func) bool { return appenders.Has(fn) }

var comparisons = strings.Fields("DeepEqual DeepDerivative Equal Equals EqualFunc DeepEqualWithNilDifferentFromEmpty")

// Compares reports whether fn says that its last two arguments, one of which may be its receiver, are equal.
func Compares(fn *types.Func) bool {
	if fn == nil || !slices.Contains(comparisons, fn.Name()) {
		return false
	}
	results := fn.Signature().Results()
	return results.Len() == 1 && flow.IsBool(results.At(0).Type())
}

// CalculatesPatch reports whether fn makes the patch between a stored object and a wanted one, as the copies of k8s-objectmatcher do.
func CalculatesPatch(fn *types.Func) bool {
	s := SymbolOf(fn)
	return s.Name == "Calculate" && strings.HasSuffix(s.Pkg, "k8s-objectmatcher/patch")
}

// differing return another value at each call.
var differing = union(symbols("time", "Now"), symbols(MetaV1, "Now NowMicro"), symbols("github.com/google/uuid", "New NewString NewRandom NewUUID NewV7"),
	symbols("math/rand", "Int Intn Int31 Int63 Uint32 Uint64"), symbols("math/rand/v2", "Int IntN Uint32 Uint64"),
	symbols(apiMachinery+"/pkg/util/uuid", "NewUUID"), symbols(apiMachinery+"/pkg/util/rand", "String Int Intn"))

// Differs reports whether fn returns another value at each call.
func Differs(fn *types.Func) bool { return differing.Has(fn) }

// converting return what their first argument is, in another form.
var converting = union(symbols("time", "Time.UTC Time.Local Time.In Time.String Time.Unix Time.UnixMilli Time.UnixNano Time.Add"),
	symbols(MetaV1, "NewTime NewMicroTime Time.DeepCopy Time.String Time.Unix Time.UTC"), symbols(Pointers, "To"), symbols("k8s.io/utils/pointer", "String Int64"),
	symbols("fmt", "Sprint Sprintf"), symbols("strconv", "FormatInt Itoa"), symbols("github.com/google/uuid", "UUID.String"))

// Converts reports whether the result of call differs wherever an argument does, as a time to the second in another form.
func Converts(call *ssa.CallCommon) bool {
	fn := flow.Callee(call)
	if (Symbol{"time", "Time", "Format"}).Is(fn) || (Symbol{MetaV1, "Time", "Format"}).Is(fn) {
		args := flow.Args(call)
		layout, ok := flow.Text(args[0])
		return ok && strings.Contains(layout, "05")
	}
	return converting.Has(fn)
}
