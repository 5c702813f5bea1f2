// The body of the range over the registry's iterator runs with the registry's read lock held, and drops idle sessions there, which needs the write lock.
//
//adv:rule=lockheld sub=relock claim=near

package tenantiter

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/tenantiter/registry"
)

const workspaceLabel = "workspaces.acme.io/workspace"

type session struct {
	lastSeen time.Time
	owner    string
}

// Reaper scales workspaces to nothing when nobody has been seen in them.
type Reaper struct {
	client.Client
	IdleAfter time.Duration

	sessions *registry.Registry[types.NamespacedName, session]
}

// Reconcile notes when the workspace's pod was last used.
func (r *Reaper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.sessions.Drop(req.NamespacedName)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	seen, err := time.Parse(time.RFC3339, pod.Annotations["workspaces.acme.io/last-seen"])
	if err != nil {
		seen = pod.CreationTimestamp.Time
	}
	if r.sessions.Put(req.NamespacedName, session{lastSeen: seen, owner: pod.Labels[workspaceLabel]}) {
		ctrl.LoggerFrom(ctx).Info("new session", "owner", pod.Labels[workspaceLabel])
	}
	return ctrl.Result{}, nil
}

// Start implements manager.Runnable.
func (r *Reaper) Start(ctx context.Context) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			if err := r.reap(ctx, now); err != nil {
				klog.FromContext(ctx).Error(err, "not all idle workspaces were stopped")
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (r *Reaper) reap(ctx context.Context, now time.Time) error {
	for key, s := range r.sessions.All() {
		if now.Sub(s.lastSeen) < r.IdleAfter {
			continue
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		if err := r.Delete(ctx, pod); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("stopping workspace of %s: %w", s.owner, err)
		}
		r.sessions.Drop(key)
		klog.FromContext(ctx).Info("stopped idle workspace", "pod", key, "owner", s.owner)
	}
	return nil
}

// SetupWithManager registers both parts.
func (r *Reaper) SetupWithManager(mgr ctrl.Manager) error {
	r.sessions = registry.New[types.NamespacedName, session]()
	if err := mgr.Add(manager.RunnableFunc(r.Start)); err != nil {
		return err
	}
	toPod := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if o.GetLabels()[workspaceLabel] == "" {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
	})
	return ctrl.NewControllerManagedBy(mgr).Named("workspace-reaper").Watches(&corev1.Pod{}, toPod).Complete(r)
}
