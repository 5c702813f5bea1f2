// Package requests has reconcilers that ask a server with a context that never ends.
package requests

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(context.TODO(), req.NamespacedName, &pod); err != nil { // ok: its cache answers at once
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.label(ctx, &pod)
}

func (r *reconciler) label(ctx context.Context, pod *corev1.Pod) error {
	if pod.Labels == nil {
		return r.Delete(context.TODO(), pod) // want replaced "r.Delete gets context.TODO(), though ctx is at hand in (*reconciler).label: it waits for a server to answer, and the end of (*reconciler).Reconcile does not end it; 2 more calls here do so" @22 "ctx is at hand" @26 "so does this call" @29 "so does this call"
	}
	if err := r.Status().Update(context.TODO(), pod); err != nil {
		return err
	}
	return r.Update(context.TODO(), pod)
}

type lister struct{ client client.Client }

func (l *lister) Start(_ context.Context) error { // want ignored "(*lister).Start ignores its context, and l.client.List waits for a server with a context that is never done at line 35: nothing ends it when the manager stops" @35 "here (*lister).Start waits"
	return l.client.List(context.Background(), &corev1.PodList{})
}

type sweeper struct{ client client.Client }

func (s *sweeper) Start(_ context.Context) error { // want ignored "(*sweeper).Start ignores its context, and s.client.List waits for a server with a context that is never done at line 42: nothing ends it when the manager stops" @42 "here (*sweeper).Start waits"
	for range 3 {
		if err := s.client.List(context.Background(), &corev1.PodList{}); err != nil {
			return err
		}
	}
	return nil
}
