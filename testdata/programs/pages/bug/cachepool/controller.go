// When a scale expectation is overdue the reconciler says so in an event and returns an empty Result without dropping it, so a pool whose Pod came and went between two watches is never scaled again.
//
//adv:rule=expectttl sub=nowayout claim=yes

package cachepool

import (
	"context"
	"fmt"
	"time"

	"example.com/pages/bug/cachepool/expect"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const expectationTimeout = 5 * time.Minute

// PoolReconciler keeps the cache Pods of a StatefulSet that is labelled as a pool.
type PoolReconciler struct {
	client.Client
	Recorder record.EventRecorder

	scale *expect.Scale
}

func (r *PoolReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.scale = expect.NewScale()
	return ctrl.NewControllerManagedBy(mgr).
		Named("cachepool").
		For(&appsv1.StatefulSet{}).
		Watches(&corev1.Pod{}, &podHandler{scale: r.scale}).
		Complete(r)
}

func (r *PoolReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	start := time.Now()
	res, err := r.doReconcile(ctx, req)
	log.FromContext(ctx).V(1).Info("reconciled", "took", time.Since(start), "failed", err != nil)
	return res, err
}

func (r *PoolReconciler) doReconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	set := &appsv1.StatefulSet{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		if apierrors.IsNotFound(err) {
			r.scale.DeleteExpectations(req.String())
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, fmt.Errorf("get pool: %w", err)
	}
	if satisfied, since := r.scale.SatisfiedExpectations(req.String()); !satisfied {
		if since < expectationTimeout {
			logger.V(1).Info("waiting for the cache", "since", since)
			return ctrl.Result{RequeueAfter: expectationTimeout - since}, nil
		}
		logger.Info("scale expectation is overdue", "since", since)
		r.Recorder.Eventf(set, corev1.EventTypeWarning, "ExpectationOverdue", "not satisfied for %s", since)
		return ctrl.Result{}, nil
	}

	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(req.Namespace), client.MatchingLabels{"cache.example.com/pool": req.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("list pods of pool: %w", err)
	}
	want := int32(1)
	if set.Spec.Replicas != nil {
		want = *set.Spec.Replicas
	}
	if int32(len(pods.Items)) >= want {
		return ctrl.Result{}, nil
	}
	pod := warmPod(set, len(pods.Items))
	r.scale.ExpectScale(req.String(), expect.Create, pod.Name)
	if err := r.Create(ctx, pod); err != nil {
		r.scale.ObserveScale(req.String(), expect.Create, pod.Name)
		return ctrl.Result{}, fmt.Errorf("create warm pod: %w", err)
	}
	return ctrl.Result{}, nil
}

func warmPod(set *appsv1.StatefulSet, ordinal int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: set.Namespace,
			Name:      fmt.Sprintf("%s-warm-%d-%s", set.Name, ordinal, rand.String(5)),
			Labels:    map[string]string{"cache.example.com/pool": set.Name},
		},
		Spec: *set.Spec.Template.Spec.DeepCopy(),
	}
}

type podHandler struct {
	handler.Funcs
	scale *expect.Scale
}

func poolOf(o client.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: o.GetNamespace(), Name: o.GetLabels()["cache.example.com/pool"]}
}

func (h *podHandler) Create(_ context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.scale.ObserveScale(poolOf(e.Object).String(), expect.Create, e.Object.GetName())
	q.Add(reconcile.Request{NamespacedName: poolOf(e.Object)})
}

func (h *podHandler) Delete(_ context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.scale.ObserveScale(poolOf(e.Object).String(), expect.Delete, e.Object.GetName())
	q.Add(reconcile.Request{NamespacedName: poolOf(e.Object)})
}
