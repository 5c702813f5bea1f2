// A deletion that the CA has not finished leaves the finalizer and returns nil,
// but the order is put back into the queue to be asked for again.
//
//adv:rule=finalizerorder sub=unreachable claim=no
package certorder

import (
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const orderFinalizer = "acme.signet.io/order"

var ordersGVR = schema.GroupVersionResource{Group: "acme.signet.io", Version: "v1alpha1", Resource: "orders"}

// ErrUnknownOrder is given for orders the CA does not have.
var ErrUnknownOrder = errors.New("unknown order")

// CA cancels orders in the background: Cancel may be called again and again.
type CA interface {
	Submit(ctx context.Context, id string, hosts []string) error
	Cancel(ctx context.Context, id string) (done bool, err error)
}

type Syncer struct {
	dyn    dynamic.Interface
	lister cache.GenericLister
	queue  workqueue.TypedRateLimitingInterface[string]
	ca     CA
}

func Run(ctx context.Context, dyn dynamic.Interface, ca CA) error {
	factory := dynamicinformer.NewDynamicSharedInformerFactory(dyn, 30*time.Minute)
	orders := factory.ForResource(ordersGVR)
	s := &Syncer{
		dyn:    dyn,
		lister: orders.Lister(),
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		ca:     ca,
	}
	enqueue := func(obj any) {
		if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
			s.queue.Add(key)
		}
	}
	if _, err := orders.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, obj any) { enqueue(obj) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	context.AfterFunc(ctx, s.queue.ShutDown)
	for {
		key, quit := s.queue.Get()
		if quit {
			return nil
		}
		after, err := s.sync(ctx, key)
		switch {
		case err != nil:
			utilruntime.HandleErrorWithContext(ctx, err, "order not synced", "key", key)
			s.queue.AddRateLimited(key)
		case after > 0:
			s.queue.Forget(key)
			s.queue.AddAfter(key, after)
		default:
			s.queue.Forget(key)
		}
		s.queue.Done(key)
	}
}

func (s *Syncer) sync(ctx context.Context, key string) (time.Duration, error) {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return 0, nil
	}
	obj, err := s.lister.ByNamespace(ns).Get(name)
	if apierrors.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	order := obj.(*unstructured.Unstructured).DeepCopy()
	guarded := slices.Contains(order.GetFinalizers(), orderFinalizer)

	if order.GetDeletionTimestamp() != nil {
		if !guarded {
			return 0, nil
		}
		done, err := s.ca.Cancel(ctx, string(order.GetUID()))
		if err != nil && !errors.Is(err, ErrUnknownOrder) {
			return 0, err
		}
		if err == nil && !done {
			klog.FromContext(ctx).V(2).Info("CA has not cancelled yet", "order", key)
			return 20 * time.Second, nil
		}
		order.SetFinalizers(slices.DeleteFunc(order.GetFinalizers(), func(f string) bool { return f == orderFinalizer }))
		_, err = s.dyn.Resource(ordersGVR).Namespace(ns).Update(ctx, order, metav1.UpdateOptions{})
		return 0, err
	}

	if !guarded {
		order.SetFinalizers(append(order.GetFinalizers(), orderFinalizer))
		if order, err = s.dyn.Resource(ordersGVR).Namespace(ns).Update(ctx, order, metav1.UpdateOptions{}); err != nil {
			return 0, err
		}
	}
	hosts, _, err := unstructured.NestedStringSlice(order.Object, "spec", "hosts")
	if err != nil {
		return 0, err
	}
	return 0, s.ca.Submit(ctx, string(order.GetUID()), hosts)
}
