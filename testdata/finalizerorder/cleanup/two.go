package cleanup

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// legacy takes off the finalizer of a former version, too: one mistake lets both go.
type legacy struct{ client.Client }

func (r *legacy) cleanUp(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: cm.Namespace, Name: cm.Name}}); err != nil {
		log.Printf("error: %v", err)
	}
	if err := r.Delete(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: cm.Namespace, Name: cm.Name}}); err != nil {
		log.Printf("error: %v", err)
	}
	if controllerutil.RemoveFinalizer(cm, "example.com/new") { // want removedonerror "cm loses its finalizer even if Delete (line 20) fails: the cleanup is never retried; return the error first" @20 "the error of this cleanup is ignored" @31 "another finalizer is removed here, too"
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	if controllerutil.RemoveFinalizer(cm, "example.com/old") {
		return r.Update(ctx, cm)
	}
	return nil
}

// apart does something else in between, which guards the second one alone.
func (r *legacy) apart(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp == nil {
		return nil
	}
	if err := r.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: cm.Namespace, Name: cm.Name}}); err != nil {
		log.Printf("error: %v", err)
	}
	controllerutil.RemoveFinalizer(cm, "example.com/new") // want removedonerror "cm loses its finalizer even if Delete (line 42) fails: the cleanup is never retried; return the error first" @42 "the error of this cleanup is ignored"
	if err := r.Delete(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: cm.Namespace, Name: cm.Name}}); err != nil {
		log.Printf("error: %v", err)
	}
	controllerutil.RemoveFinalizer(cm, "example.com/old") // want removedonerror "cm loses its finalizer even if Delete (line 46) fails: the cleanup is never retried; return the error first" @46 "the error of this cleanup is ignored"
	return r.Update(ctx, cm)
}

var _, _ = (*legacy).cleanUp, (*legacy).apart
