// All claims of a decommissioned shard first lose every finalizer by an update
// and are deleted in a second loop: in between the protection controller puts
// its own back, and the claim stays as long as a pod uses it.
//
//adv:rule=finalizerorder sub=removedbeforedelete claim=near
package pvcreclaim

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
)

var claimsGVR = corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")

// Reclaimer frees the storage of shards that were scaled away.
type Reclaimer struct {
	client dynamic.Interface
	dryRun bool
}

type Option func(*Reclaimer)

func WithDryRun(on bool) Option { return func(r *Reclaimer) { r.dryRun = on } }

func NewReclaimer(c dynamic.Interface, opts ...Option) *Reclaimer {
	r := &Reclaimer{client: c}
	for _, o := range opts {
		o(r)
	}
	return r
}

// Reclaim frees the claims of one shard of a cluster and gives their names.
func (r *Reclaimer) Reclaim(ctx context.Context, namespace, cluster string, shard int) ([]string, error) {
	logger := klog.FromContext(ctx).WithValues("cluster", cluster, "shard", shard)
	api := r.client.Resource(claimsGVR).Namespace(namespace)
	list, err := api.List(ctx, metav1.ListOptions{
		LabelSelector: labels.Set{
			"shards.emberdb.io/cluster": cluster,
			"shards.emberdb.io/ordinal": fmt.Sprint(shard),
		}.String(),
	})
	if err != nil {
		return nil, fmt.Errorf("listing claims: %w", err)
	}
	if r.dryRun {
		logger.Info("Would reclaim", "claims", len(list.Items))
		return nil, nil
	}

	// Claims of lost nodes hang in "Terminating" otherwise.
	for i := range list.Items {
		if err := r.unprotect(ctx, api, &list.Items[i]); err != nil {
			return nil, fmt.Errorf("unprotecting %s: %w", list.Items[i].GetName(), err)
		}
	}

	var names []string
	for i := range list.Items {
		name := list.Items[i].GetName()
		uid := list.Items[i].GetUID()
		err := api.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
		if err != nil && !apierrors.IsNotFound(err) {
			return names, fmt.Errorf("deleting %s: %w", name, err)
		}
		logger.V(1).Info("Claim deleted", "claim", name)
		names = append(names, name)
	}
	return names, nil
}

func (r *Reclaimer) unprotect(ctx context.Context, api dynamic.ResourceInterface, pvc *unstructured.Unstructured) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		live, err := api.Get(ctx, pvc.GetName(), metav1.GetOptions{})
		if err != nil {
			if apierrors.IsNotFound(err) {
				return nil
			}
			return err
		}
		if len(live.GetFinalizers()) == 0 {
			return nil
		}
		unstructured.RemoveNestedField(live.Object, "metadata", "finalizers")
		_, err = api.Update(ctx, live, metav1.UpdateOptions{})
		return err
	})
}
