// Package unmoved has handlers that wait for a generation.
package unmoved

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type letters struct {
	queue    workqueue.TypedInterface[string]
	stamps   workqueue.TypedInterface[string]
	accounts corelisters.ServiceAccountLister
}

func (l *letters) setup(factory informers.SharedInformerFactory) {
	core := factory.Core().V1()
	_, _ = core.Secrets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // want nogeneration "this update handler drops every update of *v1.Secret: its metadata.generation never changes; compare its content" @32 "*v1.Secret is watched here"
			was, is := prev.(*corev1.Secret), obj.(*corev1.Secret)
			if was.Generation == is.Generation {
				return
			}
			l.queue.Add(is.Name)
		},
	})
	_, _ = core.Endpoints().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: l.moved, // the informer says of what kind it is
	})
	_, _ = factory.Apps().V1().Deployments().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // ok: deployments have one
			if was, is := prev.(*appsv1.Deployment), obj.(*appsv1.Deployment); was.Generation != is.Generation {
				l.queue.Add(is.Name)
			}
		},
	})
	_, _ = core.Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // ok: labels are another reason
			was, is := prev.(*corev1.Service), obj.(*corev1.Service)
			if was.Generation != is.Generation || was.Labels["stamp"] != is.Labels["stamp"] {
				l.queue.Add(is.Name)
			}
		},
	})
	_, _ = core.Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // ok: another handler hears of it
			if was, is := prev.(*corev1.Node), obj.(*corev1.Node); was.Generation != is.Generation {
				l.queue.Add(is.Name)
			}
		},
	})
	_, _ = core.Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) { l.queue.Add(obj.(*corev1.Node).Name) },
	})
	_, _ = core.ServiceAccounts().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(prev, obj any) { // ok: all are queued again after each period
			if was, is := prev.(*corev1.ServiceAccount), obj.(*corev1.ServiceAccount); was.Generation != is.Generation {
				l.stamp(is)
			}
		},
	})
}

func (l *letters) stamp(of *corev1.ServiceAccount) { l.stamps.Add(of.Name) }

func (l *letters) run(ctx context.Context) {
	wait.UntilWithContext(ctx, l.all, time.Minute)
}

func (l *letters) all(context.Context) {
	all, err := l.accounts.List(labels.Everything())
	if err != nil {
		return
	}
	for _, account := range all {
		l.stamps.Add(account.Name)
	}
}

func (l *letters) moved(prev, obj any) { // want nogeneration "(*letters).moved drops every update of *v1.Endpoints: its metadata.generation never changes; compare its content" @41 "*v1.Endpoints is watched here"
	was, is := prev.(metav1.Object), obj.(metav1.Object)
	if was.GetGeneration() != is.GetGeneration() {
		l.queue.Add(is.GetName())
	}
}

type postman struct{ client.Client }

func (r *postman) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &appsv1.Deployment{}))
}

// bag queues what has moved.
type bag struct{ handler.Funcs }

func (bag) Update(_ context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) { // want nogeneration "bag.Update drops every update of *v1.ConfigMap: its metadata.generation never changes; compare its content" @119 "*v1.ConfigMap is watched here"
	if e.ObjectOld.GetGeneration() < e.ObjectNew.GetGeneration() || e.ObjectOld.GetGeneration() > e.ObjectNew.GetGeneration() {
		q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(e.ObjectNew)})
	}
}

func (r *postman) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Watches(&corev1.ConfigMap{}, bag{}).      // config maps have none
		Watches(&appsv1.StatefulSet{}, bag{}).    // ok: these have one
		Watches(&corev1.ServiceAccount{}, all{}). // ok: it queues all
		Complete(r)
}

// all queues whatever it hears of.
type all struct{ handler.Funcs }

func (all) Update(_ context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(e.ObjectNew)})
}

var _ = []any{(*letters).setup, (*letters).run}
