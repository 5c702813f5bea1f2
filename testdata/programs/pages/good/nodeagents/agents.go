// The store keeps no time and the reconciler stops at it, but not before it has asked the API server itself for each name that is open and has taken back what the cache will not show; it comes back after a while, too.
//
//adv:rule=expectttl sub=nottl claim=no

package nodeagents

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	namespace = "node-agents"
	nodeLabel = "agents.example.com/node"
)

// openPods are the agents that were made and not seen, by node.
type openPods struct {
	sync.Mutex
	byNode map[string]map[string]bool
}

func (o *openPods) ExpectAgent(node, pod string) {
	o.Lock()
	defer o.Unlock()
	if o.byNode[node] == nil {
		o.byNode[node] = map[string]bool{}
	}
	o.byNode[node][pod] = true
}

func (o *openPods) ObserveAgent(node, pod string) {
	o.Lock()
	defer o.Unlock()
	delete(o.byNode[node], pod)
}

func (o *openPods) Satisfied(node string) bool {
	o.Lock()
	defer o.Unlock()
	return len(o.byNode[node]) == 0
}

func (o *openPods) Open(node string) []string {
	o.Lock()
	defer o.Unlock()
	var names []string
	for n := range o.byNode[node] {
		names = append(names, n)
	}
	return names
}

func (o *openPods) ForgetNode(node string) {
	o.Lock()
	defer o.Unlock()
	delete(o.byNode, node)
}

// AgentReconciler runs one privileged Pod on each node that wants it.
type AgentReconciler struct {
	client client.Client
	live   client.Reader
	image  string
	open   openPods
}

func Setup(mgr ctrl.Manager, image string) error {
	r := &AgentReconciler{client: mgr.GetClient(), live: mgr.GetAPIReader(), image: image}
	r.open.byNode = map[string]map[string]bool{}
	toNode := func(_ context.Context, o client.Object) []reconcile.Request {
		node := o.GetLabels()[nodeLabel]
		if node == "" {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: node}}}
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("node-agent").
		For(&corev1.Node{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(toNode)).
		Complete(r)
}

func (r *AgentReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := &corev1.Node{}
	if err := r.client.Get(ctx, req.NamespacedName, node); err != nil {
		if apierrors.IsNotFound(err) {
			r.open.ForgetNode(req.Name)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.client.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{nodeLabel: node.Name}); err != nil {
		return ctrl.Result{}, err
	}
	for i := range pods.Items {
		r.open.ObserveAgent(node.Name, pods.Items[i].Name)
	}
	if !r.open.Satisfied(node.Name) {
		if err := r.verify(ctx, node.Name); err != nil {
			return ctrl.Result{}, fmt.Errorf("verify agents of %s: %w", node.Name, err)
		}
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	if len(pods.Items) > 0 || node.Spec.Unschedulable {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.start(ctx, node)
}

// verify takes back the agents that are not there any more.
func (r *AgentReconciler) verify(ctx context.Context, node string) error {
	for _, name := range r.open.Open(node) {
		err := r.live.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, &corev1.Pod{})
		switch {
		case apierrors.IsNotFound(err):
			r.open.ObserveAgent(node, name)
		case err != nil:
			return err
		}
	}
	return nil
}

func (r *AgentReconciler) start(ctx context.Context, node *corev1.Node) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      fmt.Sprintf("agent-%s-%d", node.Name, time.Now().Unix()),
			Labels:    map[string]string{nodeLabel: node.Name},
		},
		Spec: corev1.PodSpec{NodeName: node.Name, Containers: []corev1.Container{{Name: "agent", Image: r.image}}},
	}
	r.open.ExpectAgent(node.Name, pod.Name)
	err := r.client.Create(ctx, pod)
	if err != nil {
		r.open.ObserveAgent(node.Name, pod.Name)
	}
	return err
}
