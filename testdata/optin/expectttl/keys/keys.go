// Package keys names expectations by fields of objects. The findings are opt-in: -expectttl.keys.
package keys

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/store"
)

// Placer makes pods on nodes.
type Placer struct {
	client.Client
	nodes, names, pairs, both store.Scale
}

func (p *Placer) place(ctx context.Context, key string, pod *corev1.Pod) error {
	p.nodes.ExpectScale(key, store.Create, pod.Status.NominatedNodeName)
	p.names.ExpectScale(key, store.Create, pod.Name)
	p.pairs.ExpectScale(pod.Namespace, store.Create, pod.Name)
	p.both.ExpectScale(key, store.Create, pod.Name)
	p.both.ExpectScale(key, store.Create, pod.Spec.NodeName)
	if err := p.Create(ctx, pod); err != nil {
		p.nodes.ObserveScale(key, store.Create, pod.Status.NominatedNodeName)
		p.names.ObserveScale(key, store.Create, pod.GetName()) // ok: the same
		p.pairs.ObserveScale(pod.Namespace, store.Create, pod.Name)
		p.both.ObserveScale(key, store.Create, pod.Name)
		return err
	}
	return nil
}

func (p *Placer) created(key string, pod *corev1.Pod) {
	p.nodes.ObserveScale(key, store.Create, pod.Spec.NodeName)  // want keys "p.nodes is taken back under Pod.Spec.NodeName (ObserveScale), and set under Pod.Status.NominatedNodeName at line 20 (ExpectScale): it stays expected" @20 "ExpectScale of p.nodes sets it here"
	p.names.ObserveScale(key, store.Create, pod.Name)           // ok: as set
	p.pairs.ObserveScale(pod.Name, store.Create, pod.Namespace) // want keys "ObserveScale of p.pairs is given Pod.Name and Pod.Namespace, in the other order than ExpectScale at line 22: what is expected stays expected" @22 "ExpectScale of p.pairs sets it here"
	p.both.ObserveScale(key, store.Create, pod.Spec.NodeName)   // ok: one of two
	p.names.ObserveScale(key, store.Delete, pod.Spec.NodeName)  // ok: another action
}

var _ = []any{(*Placer).place, (*Placer).created}
