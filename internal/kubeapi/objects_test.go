package kubeapi_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

func TestDeletionOf(t *testing.T) {
	fn := ssatest.Build(t, `package src

import "time"

type object struct{ at *time.Time }

func (o *object) GetDeletionTimestamp() *time.Time { return o.at }
func (o *object) GetCreationTimestamp() *time.Time { return o.at }

func f(o *object) (*time.Time, *time.Time) {
	at := o.GetDeletionTimestamp()
	return at, o.GetCreationTimestamp()
}
`).Func("f")
	for ret := range flow.Returns(fn) {
		if obj, ok := kubeapi.DeletionOf(ret.Results[0]); !ok || obj != ssa.Value(fn.Params[0]) {
			t.Errorf("the deletion timestamp is that of %v, %t", obj, ok)
		}
		if obj, ok := kubeapi.DeletionOf(ret.Results[1]); ok {
			t.Errorf("the creation timestamp is the deletion timestamp of %v", obj)
		}
	}
}
