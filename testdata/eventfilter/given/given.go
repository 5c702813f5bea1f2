// Package given has watches of objects that callers hand over, or lists have.
package given

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type eventHandler = handler.TypedEventHandler[client.Object, ctrl.Request]

// AddWatch is for whatever it is given.
func AddWatch(c controller.Controller, ca cache.Cache, obj client.Object, h eventHandler) error {
	return c.Watch(source.Kind(ca, obj, h, moved(obj.GetName())))
}

// moved waits for the generation of an object of this name.
func moved(name string) predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool { // want nogeneration "moved drops every update of *v1.ConfigMap, *v1.Service: its metadata.generation never changes; compare its content" @41 "*v1.ConfigMap is watched here" @51 "*v1.Service is watched here"
			generationChanged := e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			if name == "" {
				return generationChanged
			}
			return generationChanged && e.ObjectNew.GetName() == name
		},
	}
}

// AddConfigMapWatch hands one kind over.
func AddConfigMapWatch(c controller.Controller, ca cache.Cache, name string, h eventHandler) error {
	return AddWatch(c, ca, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, h)
}

// AddDeploymentWatch hands over one that has a generation.
func AddDeploymentWatch(c controller.Controller, ca cache.Cache, name string, h eventHandler) error {
	return AddWatch(c, ca, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}}, h)
}

// AddServiceWatch comes to it by another function.
func AddServiceWatch(c controller.Controller, ca cache.Cache, h eventHandler) error {
	return named(c, ca, "front", &corev1.Service{}, h)
}

func named(c controller.Controller, ca cache.Cache, name string, obj client.Object, h eventHandler) error {
	obj.SetName(name)
	return AddWatch(c, ca, obj, h)
}

// AddSecretWatch watches the same kind in another way, too.
func AddSecretWatch(c controller.Controller, ca cache.Cache, h eventHandler) error {
	if err := AddWatch(c, ca, &corev1.Secret{}, h); err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](ca, &corev1.Secret{}, h))
}

// byKind knows which kinds have a generation.
func byKind(c controller.Controller, ca cache.Cache, obj client.Object, h eventHandler) error {
	if _, ok := obj.(*corev1.Node); ok {
		return nil
	}
	return c.Watch(source.Kind(ca, obj, h, predicate.Predicate(predicate.GenerationChangedPredicate{}))) // ok: no nodes
}

func nodes(c controller.Controller, ca cache.Cache, h eventHandler) error {
	return byKind(c, ca, &corev1.Node{}, h)
}

// listed goes through a list.
func listed(mgr ctrl.Manager) *builder.Builder {
	b := ctrl.NewControllerManagedBy(mgr)
	for _, obj := range []client.Object{&corev1.ServiceAccount{}, &appsv1.StatefulSet{}} {
		b = b.Owns(obj, builder.WithPredicates(predicate.GenerationChangedPredicate{})) // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.ServiceAccount: its metadata.generation never changes, so drift persists; compare its content" @83 "*v1.ServiceAccount is watched here"
	}
	return b
}

// each is for as many as it is given.
func each(c controller.Controller, ca cache.Cache, h eventHandler, objects ...client.Object) error {
	for _, obj := range objects {
		if err := c.Watch(source.Kind(ca, obj, h, predicate.Predicate(predicate.GenerationChangedPredicate{}))); err != nil { // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.PersistentVolumeClaim, *v1.PersistentVolume: its metadata.generation never changes; compare its content" @99 "*v1.PersistentVolumeClaim is watched here" @99 "*v1.PersistentVolume is watched here"
			return err
		}
	}
	return nil
}

func claims(c controller.Controller, ca cache.Cache, h eventHandler) error {
	return each(c, ca, h, &corev1.PersistentVolumeClaim{}, &appsv1.DaemonSet{}, &corev1.PersistentVolume{})
}

var _ = []any{nodes, listed, claims}
