// The states write to the node that comes from a lister by two layers of functions, of which the inner one, a generic one, makes the copy.
//
//adv:rule=cachemutation sub=returned claim=no

package drainfsm

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
)

const stateLabel = "maintenance.acme.io/state"

type stateFunc func(context.Context, *corev1.Node) (next string, again time.Duration, err error)

// Machine takes nodes through their maintenance.
type Machine struct {
	nodes  nodes
	client corev1client.NodeInterface
	states map[string]stateFunc
}

// Option changes a Machine.
type Option func(*Machine)

// Live reads nodes from the API server instead of the cache.
func Live() Option {
	return func(m *Machine) { m.nodes = liveNodes{client: m.client} }
}

// NewMachine makes a machine that reads nodes from the lister.
func NewMachine(kube kubernetes.Interface, lister corelisters.NodeLister, opts ...Option) *Machine {
	m := &Machine{client: kube.CoreV1().Nodes()}
	m.nodes = cachedNodes{lister: lister}
	m.states = map[string]stateFunc{
		"requested": m.cordon,
		"cordoned":  m.settle,
		"finished":  m.uncordon,
	}
	for _, o := range opts {
		o(m)
	}
	return m
}

// Step takes the node one state further.
func (m *Machine) Step(ctx context.Context, name string) (time.Duration, error) {
	node, err := m.nodes.Node(ctx, name)
	if apierrors.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	state := node.Labels[stateLabel]
	run, ok := m.states[state]
	if !ok {
		return 0, nil
	}
	next, again, err := run(ctx, node)
	if err != nil {
		return 0, fmt.Errorf("state %s of %s: %w", state, name, err)
	}
	if next == "" {
		delete(node.Labels, stateLabel)
	} else {
		node.Labels[stateLabel] = next
	}
	if _, err := m.client.Update(ctx, node, metav1.UpdateOptions{}); err != nil {
		if apierrors.IsConflict(err) {
			return time.Second, nil
		}
		return 0, err
	}
	klog.FromContext(ctx).V(1).Info("node has moved", "from", state, "to", next)
	return again, nil
}

func (m *Machine) cordon(_ context.Context, node *corev1.Node) (string, time.Duration, error) {
	node.Spec.Unschedulable = true
	return "cordoned", time.Minute, nil
}

func (m *Machine) settle(_ context.Context, node *corev1.Node) (string, time.Duration, error) {
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: stateLabel, Effect: corev1.TaintEffectNoExecute})
	return "drained", 0, nil
}

func (m *Machine) uncordon(_ context.Context, node *corev1.Node) (string, time.Duration, error) {
	node.Spec.Unschedulable = false
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == stateLabel })
	return "", 0, nil
}
