// A kind that is asked for after the dynamic factory was started is followed by a second Start of the factory and a wait with a deadline before its lister is read.
//
//adv:rule=unboundedsync sub=neverstarted claim=no

package gvrwatch

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const syncPatience = 20 * time.Second

type listers struct {
	factory dynamicinformer.DynamicSharedInformerFactory
	stop    chan struct{}

	once sync.Once
}

func newListers(c dynamic.Interface) *listers {
	l := &listers{
		factory: dynamicinformer.NewFilteredDynamicSharedInformerFactory(c, 0, metav1.NamespaceAll, nil),
		stop:    make(chan struct{}),
	}
	l.factory.ForResource(corev1.SchemeGroupVersion.WithResource("services"))
	l.factory.Start(l.stop)
	return l
}

// close ends all informers; it is added to the manager.
func (l *listers) close(ctx context.Context) error {
	<-ctx.Done()
	l.once.Do(func() { close(l.stop) })
	return nil
}

func (l *listers) get(ctx context.Context, gvr schema.GroupVersionResource) (cache.GenericLister, error) {
	informer := l.factory.ForResource(gvr)
	_ = informer.Informer()
	l.factory.Start(l.stop) // starts what has not been started
	ctx, cancel := context.WithTimeout(ctx, syncPatience)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), informer.Informer().HasSynced) {
		return nil, fmt.Errorf("%s did not sync within %s", gvr.String(), syncPatience)
	}
	return informer.Lister(), nil
}

// CountReconciler writes how many objects of some kinds a namespace has.
type CountReconciler struct {
	client.Client
	listers *listers
}

func (r *CountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := quota.DeepCopy()
	for name, kind := range quota.Labels {
		if name != "count.acme.io/kind" {
			continue
		}
		gvr, _ := schema.ParseResourceArg(kind)
		if gvr == nil {
			continue
		}
		lister, err := r.listers.get(ctx, *gvr)
		if err != nil {
			return ctrl.Result{}, err
		}
		objs, err := lister.ByNamespace(req.Namespace).List(labels.Everything())
		if err != nil {
			return ctrl.Result{}, err
		}
		metav1.SetMetaDataAnnotation(&quota.ObjectMeta, "count.acme.io/found", fmt.Sprint(len(objs)))
	}
	return ctrl.Result{RequeueAfter: 5 * time.Minute}, r.Patch(ctx, quota, client.MergeFrom(base))
}

// SetupWithManager wires it.
func (r *CountReconciler) SetupWithManager(mgr ctrl.Manager) error {
	dyn, err := dynamic.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	r.listers = newListers(dyn)
	if err := mgr.Add(manager.RunnableFunc(r.listers.close)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).Complete(r)
}
