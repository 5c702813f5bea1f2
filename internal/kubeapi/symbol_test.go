package kubeapi

import (
	"go/types"
	"testing"
)

// method is the method name of a type recv of package path; a function where recv is "".
func method(path, recv, name string) *types.Func {
	pkg := types.NewPackage(path, "p")
	var r *types.Var
	if recv != "" {
		n := types.NewNamed(types.NewTypeName(0, pkg, recv, nil), types.NewStruct(nil, nil), nil)
		r = types.NewVar(0, pkg, "r", types.NewPointer(n))
	}
	return types.NewFunc(0, pkg, name, types.NewSignatureType(r, nil, nil, nil, nil, false))
}

func TestSymbolIs(t *testing.T) {
	s := Symbol{Pkg: Cache, Recv: "Reflector", Name: "Run"}
	for _, tt := range []struct {
		path, recv, name string
		want             bool
	}{
		{Cache, "Reflector", "Run", true},
		{"example.com/operator/vendor/" + Cache, "Reflector", "Run", true},
		{"example.com/fork/" + Cache, "Reflector", "Run", false},
		{Cache, "Controller", "Run", false},
		{Cache, "", "Run", false},
		{Cache, "Reflector", "Stop", false},
	} {
		if got := s.Is(method(tt.path, tt.recv, tt.name)); got != tt.want {
			t.Errorf("%v.Is(%s %s.%s) = %v, want %v", s, tt.path, tt.recv, tt.name, got, tt.want)
		}
	}
	if s.Is(nil) {
		t.Error("nil is a symbol")
	}
	if got := SymbolOf(method("x/vendor/"+Wait, "", "Until")); got != (Symbol{Pkg: Wait, Name: "Until"}) {
		t.Errorf("SymbolOf a vendored function is %v", got)
	}
}

func TestNeverReturns(t *testing.T) {
	for _, tt := range []struct {
		path, recv, name string
		want             bool
	}{
		{"os", "", "Exit", true},
		{"k8s.io/klog/v2", "", "Fatalf", true},
		{"k8s.io/klog/v2", "", "ErrorS", false},
		{"testing", "common", "Fatal", true},
		{"example.com/os", "", "Exit", false},
	} {
		if got := NeverReturns(method(tt.path, tt.recv, tt.name)); got != tt.want {
			t.Errorf("NeverReturns(%s.%s) = %v, want %v", tt.path, tt.name, got, tt.want)
		}
	}
}
