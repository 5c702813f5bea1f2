package half

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// eachOnce looks at no object again.
func eachOnce(list func() []runtime.Object) {
	all := list()
	for i := range all {
		bare(all[i])
	}
	for _, obj := range list() {
		bare(obj)
	}
}

func bare(obj runtime.Object) { // ok: the list has other objects in the next turn
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err == nil {
		delete(content, "status")
	}
}

// eachTwice looks at each object in its turn.
func eachTwice(list func() []runtime.Object) (kinds []string) {
	for _, obj := range list() {
		bareFirst(obj)
		kinds = append(kinds, obj.GetObjectKind().GroupVersionKind().Kind)
	}
	return kinds
}

func bareFirst(obj runtime.Object) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err == nil {
		delete(content, "status") // want half "this writes an entry of ToUnstructured() of obj, which the caller has, if it is an Unstructured, and of a copy if it is of any other type; change a copy of both" @37 "this is the object's own, of an Unstructured"
	}
}

// eachBefore gives the list away when all have been written to.
func eachBefore(list func() []runtime.Object) []runtime.Object {
	all := list()
	for _, obj := range all {
		bareOfAll(obj)
	}
	return all
}

func bareOfAll(obj runtime.Object) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err == nil {
		delete(content, "status") // want half "this writes an entry of ToUnstructured() of obj, which the caller has, if it is an Unstructured, and of a copy if it is of any other type; change a copy of both" @53 "this is the object's own, of an Unstructured"
	}
}

// eachOfCache goes through what others go through as well.
func eachOfCache(lister cache.GenericLister) error {
	all, err := lister.List(labels.Everything())
	for _, obj := range all {
		bareOfCache(obj) // want callee "bareOfCache (each.go:71) writes an entry of ToUnstructured() of the object that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @61 "it comes from the cache here, and is not copied" @71 "it is written to here"
	}
	return err
}

func bareOfCache(obj runtime.Object) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err == nil {
		delete(content, "status") // want half "this writes an entry of ToUnstructured() of obj, which the caller has, if it is an Unstructured, and of a copy if it is of any other type; change a copy of both" @69 "this is the object's own, of an Unstructured"
	}
}

var _ = []any{eachOnce, eachTwice, eachBefore, eachOfCache}
