// Package child raises expectations for a parent and for its children.
package child

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/debts"
)

type house struct {
	client.Client
	expect *debts.Ledger
}

func (h *house) build(ctx context.Context, street *corev1.ConfigMap) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: street.Namespace, Name: street.Name + "-1"}}
	h.expect.ExpectCreations(client.ObjectKeyFromObject(street).String(), 1)
	h.announce(street.Namespace + "/" + street.Name + "-1")
	err := h.Create(ctx, pod)
	if err != nil {
		h.expect.CreationObserved(client.ObjectKeyFromObject(pod).String()) // ok: announce has raised one for it
	}
	return err
}

func (h *house) announce(key string) { h.expect.ExpectCreations(key, 1) }
