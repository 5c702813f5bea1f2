package kubeapi

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// ItemOf is the type of what the list t, or the one that t points to, has in its Items; nil for other types, and for lists of any objects.
func ItemOf(t types.Type) types.Type {
	list, ok := flow.Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range list.Fields() {
		if items, ok := f.Type().Underlying().(*types.Slice); ok && f.Name() == "Items" {
			return items.Elem()
		}
	}
	return nil
}
