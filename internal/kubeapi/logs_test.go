package kubeapi

import (
	"go/types"
	"testing"
)

var logger = method("example.com/x", "Logger", "V").Type().(*types.Signature).Recv()

// taking is the method name of a type Logger with these parameters and results.
func taking(name string, params, results []types.Type, variadic bool) *types.Func {
	vars := func(ts []types.Type) *types.Tuple {
		var vs []*types.Var
		for _, t := range ts {
			vs = append(vs, types.NewVar(0, nil, "", t))
		}
		return types.NewTuple(vs...)
	}
	return types.NewFunc(0, logger.Pkg(), name, types.NewSignatureType(logger, nil, nil, vars(params), vars(results), variadic))
}

func TestLogs(t *testing.T) {
	anything := types.NewInterfaceType(nil, nil)
	list := types.NewSlice(anything)
	str, num := types.Typ[types.String], types.Typ[types.Int]
	errorError := types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0)
	for name, tt := range map[string]struct {
		fn   *types.Func
		want bool
	}{
		"a function of klog":         {method("k8s.io/klog/v2", "", "InfoS"), true},
		"vendored":                   {method("example.com/x/vendor/k8s.io/klog", "", "Infof"), true},
		"a recorder":                 {method("k8s.io/client-go/tools/record", "EventRecorder", "Eventf"), true},
		"a formatter":                {method("fmt", "", "Sprintf"), true},
		"an error":                   {errorError, true},
		"a logger":                   {taking("Infof", []types.Type{str, list}, nil, true), true},
		"a logger of texts":          {taking("Warn", []types.Type{str}, nil, false), true},
		"a name, and no logger":      {taking("Error", []types.Type{num}, nil, false), false},
		"a name, and a result":       {taking("Info", []types.Type{str}, []types.Type{num}, false), false},
		"an error of another type":   {taking("Error", nil, []types.Type{str}, false), true},
		"a function, not a method":   {method("example.com/x", "", "Info"), false},
		"the next logger":            {taking("V", []types.Type{num}, []types.Type{logger.Type()}, false), true},
		"something else":             {method("os", "", "Remove"), false},
		"a function that is unknown": {nil, false},
	} {
		if got := Logs(tt.fn); got != tt.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
