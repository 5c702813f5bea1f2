// Package watch writes to what a package below asks for: whatever program it becomes part of, somebody else sees that.
package watch

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	_ "example.com/operators/cachemutation/below/reads"
)

func watch(factory informers.SharedInformerFactory, set kubernetes.Interface) {
	_, _ = factory.Core().V1().LimitRanges().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			limits := obj.(*corev1.LimitRange)
			limits.Spec.Limits = nil // want param "this writes Limits of the LimitRange that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 21 fails; change a DeepCopy"
			_, _ = set.CoreV1().LimitRanges(limits.Namespace).Update(context.TODO(), limits, metav1.UpdateOptions{})
		},
	})
}
