// The filter strips heartbeats and sorts taints on deep copies, and the handler changes a clone of the labels: nothing in the cache is written to.
//
//adv:rule=eventfilter sub=mutates claim=no
package nodeprofile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const profileLabel = "tuning.edge.example/profile"

// normalized gives a node without what changes all the time.
func normalized(node *corev1.Node) *corev1.Node {
	out := node.DeepCopy()
	out.ResourceVersion, out.ManagedFields = "", nil
	for i := range out.Status.Conditions {
		out.Status.Conditions[i].LastHeartbeatTime = metav1.Time{}
	}
	delete(out.Annotations, "csi.volume.kubernetes.io/nodeid")
	slices.SortFunc(out.Spec.Taints, func(a, b corev1.Taint) int { return cmp.Compare(a.ToString(), b.ToString()) })
	return out
}

type notOnlyHeartbeat struct {
	predicate.TypedFuncs[*corev1.Node]
}

func (notOnlyHeartbeat) Update(e event.TypedUpdateEvent[*corev1.Node]) bool {
	return !equality.Semantic.DeepEqual(normalized(e.ObjectOld), normalized(e.ObjectNew))
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// profiles queues the profile of a node, by the labels that choose it.
func profiles(defaults map[string]string) handler.TypedEventHandler[*corev1.Node, reconcile.Request] {
	enqueue := func(node *corev1.Node, q queue) {
		labels := maps.Clone(node.Labels)
		if labels == nil {
			labels = map[string]string{}
		}
		for k, v := range defaults {
			if labels[k] == "" {
				labels[k] = v
			}
		}
		if name := labels[profileLabel]; name != "" {
			q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Name: name}})
		}
	}
	return handler.TypedFuncs[*corev1.Node, reconcile.Request]{
		CreateFunc: func(_ context.Context, e event.TypedCreateEvent[*corev1.Node], q queue) {
			enqueue(e.Object, q)
		},
		UpdateFunc: func(_ context.Context, e event.TypedUpdateEvent[*corev1.Node], q queue) {
			enqueue(e.ObjectOld, q)
			enqueue(e.ObjectNew, q)
		},
		DeleteFunc: func(_ context.Context, e event.TypedDeleteEvent[*corev1.Node], q queue) {
			enqueue(e.Object, q)
		},
	}
}

// Publisher publishes which nodes have a profile.
type Publisher struct {
	Client    client.Client
	Namespace string
	Default   string
}

// Reconcile writes the ConfigMap of a profile, which the agents on the nodes read.
func (p *Publisher) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	nodes := &corev1.NodeList{}
	if err := p.Client.List(ctx, nodes); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing nodes: %w", err)
	}
	members := map[string]string{}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		if cmp.Or(node.Labels[profileLabel], p.Default) == req.Name {
			members[node.Name] = node.Status.NodeInfo.KernelVersion
		}
	}
	published := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: p.Namespace, Name: "profile-" + req.Name}
	if err := p.Client.Get(ctx, key, published); err != nil {
		if client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, err
		}
		published.Name, published.Namespace, published.Data = key.Name, key.Namespace, members
		return reconcile.Result{}, p.Client.Create(ctx, published)
	}
	if maps.Equal(published.Data, members) {
		return reconcile.Result{}, nil
	}
	published.Data = members
	log.FromContext(ctx).Info("Profile has other nodes", "profile", req.Name, "nodes", len(members))
	return reconcile.Result{}, p.Client.Update(ctx, published)
}

// Add makes the controller and adds it to the manager.
func (p *Publisher) Add(mgr manager.Manager) error {
	c, err := controller.New("node-profiles", mgr, controller.Options{Reconciler: p})
	if err != nil {
		return err
	}
	defaults := map[string]string{profileLabel: p.Default}
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.Node{}, profiles(defaults), notOnlyHeartbeat{}))
}
