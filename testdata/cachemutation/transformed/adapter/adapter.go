// Package adapter sets up the informers whose listers another package reads.
package adapter

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	_ "example.com/operators/cachemutation/transformed/lists"
)

// transforms are the functions for the kinds.
var transforms = map[string]cache.TransformFunc{"pods": small, "endpoints": keep}

// small makes pods with a name and labels.
func small(obj any) (any, error) {
	var pod *corev1.Pod
	switch t := obj.(type) {
	case *corev1.Pod:
		pod = t
	default:
		return obj, fmt.Errorf("no pod: %T", obj)
	}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Labels: pod.Labels}}, nil
}

// keep makes endpoints with all that they had.
func keep(obj any) (any, error) {
	e, ok := obj.(*corev1.Endpoints)
	if !ok {
		return nil, fmt.Errorf("no endpoints: %T", obj)
	}
	return &corev1.Endpoints{ObjectMeta: e.ObjectMeta}, nil
}

type trimmer struct{ all bool }

// trim takes annotations off, of secrets if all is to go.
func (t trimmer) trim(obj any) (any, error) {
	switch o := obj.(type) {
	case *corev1.Node:
		o.Annotations = nil
	case *corev1.Service:
		o.Annotations = nil
		o.Annotations = map[string]string{"trimmed": "yes"}
	case *corev1.Secret:
		if t.all {
			o.Annotations = nil
		}
	}
	return obj, nil
}

func setup(factory informers.SharedInformerFactory, all cache.SharedIndexInformer) error {
	if err := factory.Core().V1().Pods().Informer().SetTransform(transforms["pods"]); err != nil {
		return err
	}
	return all.SetTransform(trimmer{}.trim)
}
