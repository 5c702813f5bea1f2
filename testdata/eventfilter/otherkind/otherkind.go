// Package otherkind has handlers that are given objects of one kind, and do something about another one alone.
package otherkind

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type controller struct {
	queue workqueue.TypedInterface[string]
}

func (c *controller) setup(factory informers.SharedInformerFactory, pods coreinformers.PodInformer) {
	_, _ = factory.Apps().V1().ReplicaSets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.addReplicaSet,    // ok: its own kind
		DeleteFunc: c.deleteDeployment, // want constant "(*controller).deleteDeployment does nothing about any object of this informer, which gives *v1.ReplicaSet: it takes *v1.Deployment alone" @77 "no object that it is given has this type"
	})
	_, _ = factory.Apps().V1().Deployments().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: c.deleteDeployment, // ok: its own kind
	})
	_, _ = pods.Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool { // ok: pods and their tombstones
			switch t := obj.(type) {
			case *corev1.Pod:
				return t.Spec.NodeName != ""
			case cache.DeletedFinalStateUnknown:
				_, ok := t.Obj.(*corev1.Pod)
				return ok
			}
			return false
		},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    c.addReplicaSet,                 // want constant "(*controller).addReplicaSet does nothing about any object of this informer, which gives *v1.Pod: it takes *v1.ReplicaSet alone" @69 "no object that it is given has this type"
			UpdateFunc: func(_, obj any) { c.add(obj) }, // ok: whatever it is
			DeleteFunc: c.add,                           // ok: whatever it is
		},
	})
	nodes := cache.NewSharedIndexInformer(nil, &corev1.Node{}, 0, nil)
	_, _ = nodes.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool { // want constant "this function does nothing about any object of this informer, which gives *v1.Node: it takes *v1.Pod alone" @55 "no object that it is given has this type"
			pod, ok := obj.(*corev1.Pod)
			return ok && pod.Spec.NodeName != ""
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: c.anything /* ok: objects of all kinds have names */},
	})
}

func (c *controller) add(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *controller) addReplicaSet(obj any) {
	rs, ok := obj.(*appsv1.ReplicaSet)
	if !ok {
		return
	}
	c.add(rs)
}

func (c *controller) deleteDeployment(obj any) {
	d, ok := obj.(*appsv1.Deployment)
	if !ok {
		tombstone, ok := obj.(cache.DeletedFinalStateUnknown)
		if !ok {
			runtime.HandleError(nil)
			return
		}
		if d, ok = tombstone.Obj.(*appsv1.Deployment); !ok {
			return
		}
	}
	c.add(d)
}

func (c *controller) anything(obj any) {
	if o, err := meta.Accessor(obj); err == nil {
		c.queue.Add(o.GetName())
	}
}

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &corev1.Pod{}))
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofConfigMap)).                   // want constant "ofConfigMap does nothing about any object of this watch, which gives *v1.Secret: it takes *v1.ConfigMap alone" @114 "no object that it is given has this type"
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(ofConfigMap)).                // ok: its own kind
		Watches(&corev1.ServiceAccount{}, handler.EnqueueRequestsFromMapFunc(ofEither)).              // ok: one of two
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(orAll), builder.WithPredicates()). // ok: all requests for what it does not know
		Complete(r)
}

func ofConfigMap(_ context.Context, o client.Object) []reconcile.Request {
	cm, ok := o.(*corev1.ConfigMap)
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: cm.Namespace, Name: cm.Data["pod"]}}}
}

func ofEither(_ context.Context, o client.Object) []reconcile.Request {
	switch o.(type) {
	case *corev1.ConfigMap, *corev1.ServiceAccount:
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	}
	return nil
}

func orAll(_ context.Context, o client.Object) []reconcile.Request {
	if pod, ok := o.(*corev1.Pod); ok {
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(pod)}}
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: "all"}}}
}

// asserts takes what its informer never gives, without a test.
func (c *controller) asserts(factory informers.SharedInformerFactory) {
	services := factory.Core().V1().Services().Informer()
	_, _ = services.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			node := obj.(*corev1.Node).DeepCopy() // want constant "this panics with the first object of the informer, which gives *v1.Service and no *v1.Node"
			c.add(node)
		},
		UpdateFunc: func(_, obj any) {
			c.add(obj.(*corev1.Service)) // ok: its own kind
		},
		DeleteFunc: func(obj any) {
			if c.queue.ShuttingDown() {
				return
			}
			c.add(obj.(*corev1.Node)) // want tombstone "DeleteFunc (line 147) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Node panics on it" @147 "DeleteFunc is called for deletions here"
		},
	})
}

type of[T any] struct{ take func(*T) }

func (o *of[T]) add(obj any) { o.take(obj.(*T)) } // ok: whatever it is made for

func generic(factory informers.SharedInformerFactory, take func(*corev1.Service)) {
	o := &of[corev1.Service]{take}
	_, _ = factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: o.add})
}

// remade hears of pods that have taken the name of another one.
func (c *controller) remade(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // ok: where the end of the first one was missed, the next one has its name
			if was, is := prev.(*corev1.Pod), obj.(*corev1.Pod); was.UID != is.UID {
				c.add(was)
			}
		},
	})
	_, _ = factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // want constant "this function does nothing about any *v1.Service that the informer gives it: with each it leaves before it comes to what it does; a test is the wrong way round"
			if was, is := prev.(*corev1.Service), obj.(*corev1.Service); was.Name != is.Name {
				c.add(was)
			}
		},
	})
}
