package copied

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/copied/give"
)

type nodes struct {
	client.Client
	set    kubernetes.Interface
	lister corelisters.NodeLister
	next   *corev1.Node
}

// wrong writes the node that the copy was made of.
func (r *nodes) wrong(ctx context.Context, name string) error {
	node, err := r.lister.Get(name)
	if err != nil {
		return err
	}
	free, was := give.Free(node, guard) // want notpersisted "the copy of node that Free gives loses a finalizer here in memory only: no Update or Patch of it follows in (*nodes).wrong, and the change is lost"
	if !was {
		return nil
	}
	klog.InfoS("released", "finalizers", free.Finalizers)
	_, err = r.set.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// unheld does so with what is to be held.
func (r *nodes) unheld(ctx context.Context, node *corev1.Node) error {
	held := give.Held(node, guard) // want notpersisted "the copy of node that Held gives gets a finalizer here in memory only: no Update or Patch of it follows in (*nodes).unheld, and the change is lost"
	klog.InfoS("held", "node", klog.KObj(held))
	return r.Update(ctx, node)
}

func freed(node *corev1.Node) *corev1.Node {
	free := node.DeepCopy()
	controllerutil.RemoveFinalizer(free, guard)
	return free
}

// own has a function of its own for it.
func (r *nodes) own(ctx context.Context, node *corev1.Node) error {
	if free := freed(node); len(free.Finalizers) > 0 { // want notpersisted "the copy of node that freed gives loses a finalizer here in memory only: no Update or Patch of it follows in (*nodes).own, and the change is lost"
		klog.InfoS("others hold it", "node", free.Name)
	}
	return r.Update(ctx, node)
}

// written writes the copy.
func (r *nodes) written(ctx context.Context, node *corev1.Node) error {
	free, was := give.Free(node, guard)
	if !was {
		return nil
	}
	return r.Update(ctx, free)
}

// differs sends what differs.
func (r *nodes) differs(ctx context.Context, node *corev1.Node) error {
	return r.Patch(ctx, give.Held(node, guard), client.MergeFrom(node))
}

// given gives it on.
func given(node *corev1.Node) *corev1.Node { return give.Held(node, guard) }

// further writes what another one has given on.
func (r *nodes) further(ctx context.Context, node *corev1.Node) error {
	return r.Update(ctx, given(node))
}

// kept has it written later.
func (r *nodes) kept(node *corev1.Node) { r.next = freed(node) }

// perhaps writes what may be the node itself.
func (r *nodes) perhaps(ctx context.Context, node *corev1.Node) error {
	free := give.IfThere(node, guard)
	return r.Update(ctx, free)
}

// original writes the node, which may be what was given.
func (r *nodes) original(ctx context.Context, node *corev1.Node) error {
	free := give.IfThere(node, guard)
	klog.InfoS("released", "node", klog.KObj(free))
	return r.Update(ctx, node)
}
