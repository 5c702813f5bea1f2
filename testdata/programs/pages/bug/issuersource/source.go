// The event source of trust bundles waits for its informer in Start, with the context of the controller's whole life, where only WaitForSync is given the deadline for caches.
//
//adv:rule=unboundedsync sub=sourcestart claim=yes

package issuersource

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const bundleLabel = "trust.acme.io/bundle"

// bundleSource tells of the bundles in the cluster where the CA lives.
type bundleSource struct {
	factory informers.SharedInformerFactory
	bundles cache.SharedIndexInformer

	mu      sync.Mutex
	started bool
}

var _ source.SyncingSource = (*bundleSource)(nil)

func newBundleSource(ca kubernetes.Interface) *bundleSource {
	factory := informers.NewSharedInformerFactoryWithOptions(ca, 0,
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = bundleLabel }))
	return &bundleSource{factory: factory, bundles: factory.Core().V1().ConfigMaps().Informer()}
}

func (s *bundleSource) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	s.mu.Lock()
	if s.started {
		s.mu.Unlock()
		return errors.New("source of bundles was started twice")
	}
	s.started = true
	s.mu.Unlock()

	enqueue := func(obj any) {
		if cm, ok := obj.(*corev1.ConfigMap); ok {
			queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: cm.Namespace, Name: cm.Name}})
		}
	}
	reg, err := s.bundles.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, cur any) { enqueue(cur) },
	})
	if err != nil {
		return fmt.Errorf("watching bundles: %w", err)
	}
	s.factory.Start(ctx.Done())

	log.FromContext(ctx).Info("waiting for the bundles of the CA cluster")
	if !cache.WaitForCacheSync(ctx.Done(), s.bundles.HasSynced, reg.HasSynced) {
		return errors.New("bundles did not sync")
	}
	return nil
}

func (s *bundleSource) WaitForSync(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		return errors.New("source of bundles was not started")
	}
	return nil
}

func (s *bundleSource) String() string { return "trust bundles" }

type trustReconciler struct {
	local   client.Client
	bundles cache.SharedIndexInformer
}

func (r *trustReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj, exists, err := r.bundles.GetStore().GetByKey(req.String())
	if err != nil || !exists {
		return reconcile.Result{}, err
	}
	bundle, ok := obj.(*corev1.ConfigMap)
	if !ok {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("unexpected %T", obj))
	}
	local := &corev1.ConfigMap{}
	err = r.local.Get(ctx, client.ObjectKey{Namespace: "trust", Name: req.Name}, local)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	pem := bundle.Data["ca.crt"]
	if err != nil {
		local.Namespace, local.Name = "trust", req.Name
		local.Data = map[string]string{"ca.crt": pem}
		return reconcile.Result{}, r.local.Create(ctx, local)
	}
	if local.Data["ca.crt"] == pem {
		return reconcile.Result{}, nil
	}
	local.Data = map[string]string{"ca.crt": pem}
	return reconcile.Result{}, r.local.Update(ctx, local)
}

// Add wires the controller of trust bundles.
func Add(mgr manager.Manager, ca kubernetes.Interface) error {
	src := newBundleSource(ca)
	c, err := controller.New("trust", mgr, controller.Options{
		Reconciler: &trustReconciler{local: mgr.GetClient(), bundles: src.bundles},
	})
	if err != nil {
		return err
	}
	return c.Watch(src)
}
