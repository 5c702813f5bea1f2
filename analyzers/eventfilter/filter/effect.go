package filter

import (
	"go/types"
	"slices"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// effectOf is what others see of a call of fn, whose body is not in sight: nothing, of packages, clients and listers that only
// look; perhaps something, of a name that promises no more than a look; and something else.
func effectOf(fn *types.Func) flow.Truth {
	if fn.Pkg() == nil || onlyLooks(fn) {
		return flow.False // error.Error
	}
	if w := words.Of(fn.Name()); len(w) > 0 && fn.Type().(*types.Signature).Results().Len() > 0 && slices.Contains(looking, w[0]) {
		return flow.Unknown
	}
	return flow.True
}

// looking are the first words of names that promise no more than a look. GetOrCreate shows that not all keep it.
var looking = []string{"get", "is", "has", "list", "find", "contains", "parse", "string", "len", "name", "kind"}

// lookers are packages whose functions change nothing.
var lookers = []string{
	"sync", "strings", "strconv", "slices", "maps", "reflect", "sort", "time", "bytes", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/labels",
	"k8s.io/apimachinery/pkg/api/equality", "k8s.io/apimachinery/pkg/api/meta", "k8s.io/apimachinery/pkg/types", "k8s.io/utils/ptr", "k8s.io/utils/pointer",
	"github.com/google/go-cmp/cmp", "k8s.io/apimachinery/pkg/util/sets", "k8s.io/apimachinery/pkg/conversion", "github.com/samber/lo",
	"k8s.io/apimachinery/pkg/api/errors", "k8s.io/apimachinery/pkg/runtime/schema", "errors", "fmt", "context", "math", "regexp",
}

// changing are the methods of sets, and of what package sync has, that change what they are called on, or let somebody else do something.
var changing = map[string]bool{
	"Insert": true, "Delete": true, "Clear": true, "PopAny": true,
	"Store": true, "Swap": true, "CompareAndSwap": true, "LoadOrStore": true, "LoadAndDelete": true, "CompareAndDelete": true,
	"Add": true, "Done": true, "Go": true, "Do": true, "Signal": true, "Broadcast": true, "Put": true,
}

// onlyLooks reports whether a call of fn has no effect.
func onlyLooks(fn *types.Func) bool {
	sym := kubeapi.SymbolOf(fn)
	sig := fn.Type().(*types.Signature)
	if slices.Contains(lookers, sym.Pkg) {
		return sig.Recv() == nil || !changing[sym.Name]
	}
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); kubeapi.IsType(t, kubeapi.MetaV1, "GetOptions") || kubeapi.IsType(t, kubeapi.MetaV1, "ListOptions") {
			return true // of a clientset
		}
	}
	switch sym.Pkg {
	case kubeapi.Client:
		return sym.Recv == "" || sym.Recv == "Reader" // ObjectKeyFromObject, IgnoreNotFound
	case kubeapi.Cache:
		return slices.Contains(keyFuncs, sym.Name) || (sym.Recv == "Store" || sym.Recv == "Indexer") && slices.Contains(storeReads, sym.Name)
	}
	return sig.Recv() != nil && (sym.Name == "Get" || sym.Name == "List") && isLister(sig.Recv().Type())
}

// storeReads are the methods of an informer's store that read it.
var storeReads = []string{"Get", "GetByKey", "List", "ListKeys", "Index", "IndexKeys", "ByIndex", "ListIndexFuncValues", "GetIndexers"}

// isLister reports whether t is one of the listers that are generated for each kind: its List takes a selector of labels.
func isLister(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "List")
	list, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	params := list.Type().(*types.Signature).Params()
	return params.Len() == 1 && kubeapi.IsType(params.At(0).Type(), "k8s.io/apimachinery/pkg/labels", "Selector")
}
