// findPrimary leaves with the first member that calls itself primary, and the probes of the other members, which send on a channel without room, stay blocked: some with each reconcile.
//
//adv:rule=unboundedsync sub=abandoned claim=yes

// Package pgfailover points the read-write Service of a Postgres cluster to its primary.
package pgfailover

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const roleLabel = "postgres.example.org/role"

type memberState struct {
	pod      *corev1.Pod
	Role     string `json:"role"`
	Timeline int64  `json:"timeline"`
	err      error
}

// ClusterReconciler looks after one StatefulSet for each cluster.
type ClusterReconciler struct {
	client.Client
	http *http.Client
}

// Reconcile implements reconcile.Reconciler.
func (r *ClusterReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &appsv1.StatefulSet{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if set.Labels["app.kubernetes.io/name"] != "postgres" {
		return ctrl.Result{}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(set.Namespace), client.MatchingLabels(set.Spec.Selector.MatchLabels)); err != nil {
		return ctrl.Result{}, fmt.Errorf("list members: %w", err)
	}
	primary := r.findPrimary(ctx, pods.Items)
	if primary == nil {
		log.FromContext(ctx).Info("no primary, waiting for failover")
		return ctrl.Result{RequeueAfter: 2 * time.Second}, nil
	}
	for i := range pods.Items {
		role := "replica"
		if pods.Items[i].UID == primary.UID {
			role = "primary"
		}
		if err := r.setRole(ctx, &pods.Items[i], role); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
}

func (r *ClusterReconciler) findPrimary(ctx context.Context, members []corev1.Pod) *corev1.Pod {
	logger := log.FromContext(ctx)
	states := make(chan memberState)
	asked := 0
	for i := range members {
		if members[i].Status.PodIP == "" {
			continue
		}
		asked++
		go func(pod *corev1.Pod) {
			states <- r.probe(ctx, pod)
		}(&members[i])
	}
	for ; asked > 0; asked-- {
		state := <-states
		switch {
		case state.err != nil:
			logger.V(1).Info("member does not answer", "pod", state.pod.Name, "error", state.err.Error())
		case state.Role == "primary":
			logger.V(1).Info("found primary", "pod", state.pod.Name, "timeline", state.Timeline)
			return state.pod
		}
	}
	return nil
}

func (r *ClusterReconciler) probe(ctx context.Context, pod *corev1.Pod) memberState {
	state := memberState{pod: pod}
	url := "http://" + net.JoinHostPort(pod.Status.PodIP, "8008") + "/patroni"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		state.err = err
		return state
	}
	resp, err := r.http.Do(req)
	if err != nil {
		state.err = err
		return state
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&state); err != nil {
		state.err = fmt.Errorf("decode answer: %w", err)
	}
	return state
}

func (r *ClusterReconciler) setRole(ctx context.Context, pod *corev1.Pod, role string) error {
	if pod.Labels[roleLabel] == role {
		return nil
	}
	before := pod.DeepCopy()
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels[roleLabel] = role
	if err := r.Patch(ctx, pod, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("label %s as %s: %w", pod.Name, role, err)
	}
	return nil
}

// SetupWithManager registers the reconciler.
func (r *ClusterReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	r.http = &http.Client{Timeout: 3 * time.Second}
	return ctrl.NewControllerManagedBy(mgr).Named("pg-failover").For(&appsv1.StatefulSet{}).Owns(&corev1.Pod{}).Complete(r)
}
