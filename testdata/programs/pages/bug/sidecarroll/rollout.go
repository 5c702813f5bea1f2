// Pod updates are observed and Pod deletions only enqueue the owner, so a Pod that is deleted before its patch is seen stays expected, and its SidecarRollout is requeued for ever and does nothing.
//
//adv:rule=expectttl sub=asymmetric claim=yes

package sidecarroll

import (
	"context"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const imageAnnotation = "mesh.example.com/sidecar-image"

type SidecarRollout struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Image string `json:"image"`
	} `json:"spec"`
}

func (s *SidecarRollout) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// versions holds, by owner, the version of each Pod that the cache has to reach.
type versions struct {
	mu    sync.Mutex
	owner map[types.NamespacedName]map[types.UID]string
}

func (v *versions) ExpectUpdated(owner types.NamespacedName, obj client.Object) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.owner[owner] == nil {
		v.owner[owner] = map[types.UID]string{}
	}
	v.owner[owner][obj.GetUID()] = obj.GetResourceVersion()
}

func (v *versions) ObserveUpdated(owner types.NamespacedName, obj client.Object) {
	v.mu.Lock()
	defer v.mu.Unlock()
	want, _ := strconv.ParseUint(v.owner[owner][obj.GetUID()], 10, 64)
	have, _ := strconv.ParseUint(obj.GetResourceVersion(), 10, 64)
	if have >= want {
		delete(v.owner[owner], obj.GetUID())
	}
}

func (v *versions) SatisfiedExpectations(owner types.NamespacedName) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.owner[owner]) == 0
}

func (v *versions) DeleteExpectations(owner types.NamespacedName) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.owner, owner)
}

type reconciler struct {
	client   client.Client
	versions *versions
}

// Add wires the controller by hand.
func Add(mgr manager.Manager) error {
	r := &reconciler{client: mgr.GetClient(), versions: &versions{owner: map[types.NamespacedName]map[types.UID]string{}}}
	c, err := controller.New("sidecarrollout", mgr, controller.Options{Reconciler: r, MaxConcurrentReconciles: 4})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind[client.Object](mgr.GetCache(), &SidecarRollout{}, &handler.EnqueueRequestForObject{})); err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &corev1.Pod{}, &pods{versions: r.versions}))
}

type pods struct{ versions *versions }

func rolloutOf(o client.Object) (types.NamespacedName, bool) {
	name := o.GetLabels()["mesh.example.com/rollout"]
	return types.NamespacedName{Namespace: o.GetNamespace(), Name: name}, name != ""
}

func (p *pods) Create(_ context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	if owner, ok := rolloutOf(e.Object); ok {
		q.Add(reconcile.Request{NamespacedName: owner})
	}
}

func (p *pods) Update(_ context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	if owner, ok := rolloutOf(e.ObjectNew); ok {
		p.versions.ObserveUpdated(owner, e.ObjectNew)
		q.Add(reconcile.Request{NamespacedName: owner})
	}
}

func (p *pods) Delete(_ context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	if owner, ok := rolloutOf(e.Object); ok {
		q.Add(reconcile.Request{NamespacedName: owner})
	}
}

func (p *pods) Generic(context.Context, event.GenericEvent, workqueue.TypedRateLimitingInterface[reconcile.Request]) {
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	rollout := &SidecarRollout{}
	if err := r.client.Get(ctx, req.NamespacedName, rollout); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.versions.DeleteExpectations(req.NamespacedName)
		}
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	list := &corev1.PodList{}
	if err := r.client.List(ctx, list, client.InNamespace(req.Namespace), client.MatchingLabels{"mesh.example.com/rollout": req.Name}); err != nil {
		return reconcile.Result{}, err
	}
	for i := range list.Items {
		r.versions.ObserveUpdated(req.NamespacedName, &list.Items[i])
	}
	if !r.versions.SatisfiedExpectations(req.NamespacedName) {
		return reconcile.Result{RequeueAfter: 5 * time.Second}, nil
	}
	for i := range list.Items {
		pod := &list.Items[i]
		if pod.Annotations[imageAnnotation] == rollout.Spec.Image || pod.DeletionTimestamp != nil {
			continue
		}
		base := pod.DeepCopy()
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, imageAnnotation, rollout.Spec.Image)
		if err := r.client.Patch(ctx, pod, client.MergeFrom(base)); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		r.versions.ExpectUpdated(req.NamespacedName, pod)
	}
	return reconcile.Result{}, nil
}
