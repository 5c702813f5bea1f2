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

// onlyLooks reports whether a call of fn has no effect.
func onlyLooks(fn *types.Func) bool {
	sym := kubeapi.SymbolOf(fn)
	sig := fn.Type().(*types.Signature)
	if of, pure := kubeapi.OfPure(fn); of {
		return pure
	}
	if verb := kubeapi.VerbOf(sym.Name); kubeapi.TakesOptions(sig) && (verb == kubeapi.VerbGet || verb == kubeapi.VerbList) {
		return true // of a clientset
	}
	switch sym.Pkg {
	case kubeapi.Client:
		return sym.Recv == "" || kubeapi.IsReader(fn) // ObjectKeyFromObject, IgnoreNotFound
	case kubeapi.Cache:
		return kubeapi.MakesKey(fn) || kubeapi.KeySplitters.Has(fn) || kubeapi.OfStore(fn) && kubeapi.ReadsStore(sym.Name)
	}
	return sig.Recv() != nil && kubeapi.ReadsStore(sym.Name) && kubeapi.IsLister(sig.Recv().Type())
}
