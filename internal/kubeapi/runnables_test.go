package kubeapi_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// Variables that hold each other hold no conversion.
func TestRunnableFuncCircle(t *testing.T) {
	pkg := ssatest.Build(t, `package src
func f() {
	var a, b func()
	a = b
	b = a
	take(a)
	take(func() { a(); b() })
}
func take(func())
`)
	if conv := kubeapi.RunnableFunc(ssatest.Calls(pkg.Func("f"), "take")[0].Args[0]); conv != nil {
		t.Error(conv)
	}
}
