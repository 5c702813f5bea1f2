package kubeapi

import (
	"go/types"
	"testing"
)

// giving is the function of a package of that path and name with these parameters and results.
func giving(path, pkg, name string, params, results []types.Type) *types.Func {
	vars := func(ts []types.Type) *types.Tuple {
		var vs []*types.Var
		for _, t := range ts {
			vs = append(vs, types.NewVar(0, nil, "", t))
		}
		return types.NewTuple(vs...)
	}
	return types.NewFunc(0, types.NewPackage(path, pkg), name, types.NewSignatureType(nil, nil, nil, vars(params), vars(results), false))
}

func TestErrors(t *testing.T) {
	str, err := types.Typ[types.String], types.Universe.Lookup("error").Type()
	for name, tt := range map[string]struct {
		fn           *types.Func
		makes, wraps bool
	}{
		"errors.New":                {giving("errors", "errors", "New", []types.Type{str}, []types.Type{err}), true, false},
		"fmt.Errorf":                {giving("fmt", "fmt", "Errorf", []types.Type{str}, []types.Type{err}), true, false},
		"a text of another package": {giving("example.com/text", "text", "Errorf", []types.Type{str}, []types.Type{err}), false, false},
		"a wrapper":                 {giving("example.com/any/errors", "errors", "WrapIf", []types.Type{err, str}, []types.Type{err}), false, true},
		"a stack":                   {giving("example.com/any/errors", "errors", "WithStack", []types.Type{err}, []types.Type{err}), false, true},
		"another wrapper's package": {giving("example.com/any", "any", "Wrap", []types.Type{err, str}, []types.Type{err}), false, false},
		"a wrapper of a text":       {giving("example.com/any/errors", "errors", "Wrap", []types.Type{str}, []types.Type{err}), false, false},
		"one that asks":             {giving("example.com/any/errors", "errors", "WithCode", []types.Type{err}, []types.Type{types.Typ[types.Bool]}), false, false},
		"one that joins":            {giving("errors", "errors", "Join", []types.Type{err}, []types.Type{err}), false, false},
	} {
		if MakesError(tt.fn) != tt.makes || WrapsError(tt.fn) != tt.wraps {
			t.Errorf("%s: makes %v, wraps %v, want %v, %v", name, MakesError(tt.fn), WrapsError(tt.fn), tt.makes, tt.wraps)
		}
	}
}
