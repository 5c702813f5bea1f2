// The claim is deleted first; its finalizers are emptied only of a fresh copy
// that has a deletion timestamp, for which nobody can put one back.
//
//adv:rule=finalizerorder sub=removedbeforedelete claim=no
package scratchvol

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// ErrInUse is given for claims that a pod on a living node still mounts.
var ErrInUse = errors.New("claim is in use")

// Evictor frees the scratch volumes of nodes that were lost.
type Evictor struct {
	Client client.Client
	Grace  time.Duration
}

// Release deletes the claim. Pods on lost nodes, which nobody can ask to end,
// keep it for ever by the protection finalizer: after the grace it is let go.
func (e *Evictor) Release(ctx context.Context, key client.ObjectKey) error {
	logger := log.FromContext(ctx).WithValues("claim", key)
	pvc := &corev1.PersistentVolumeClaim{}
	if err := e.Client.Get(ctx, key, pvc); err != nil {
		return client.IgnoreNotFound(err)
	}
	lost, err := e.onlyLostUsers(ctx, pvc)
	if err != nil {
		return err
	}
	if !lost {
		return fmt.Errorf("%s: %w", key, ErrInUse)
	}

	uid := pvc.UID
	err = e.Client.Delete(ctx, pvc, client.Preconditions{UID: &uid})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("deleting claim: %w", err)
	}

	err = wait.PollUntilContextTimeout(ctx, time.Second, e.Grace, true, func(ctx context.Context) (bool, error) {
		got := &corev1.PersistentVolumeClaim{}
		err := e.Client.Get(ctx, key, got)
		return apierrors.IsNotFound(err) || err == nil && got.UID != uid, client.IgnoreNotFound(err)
	})
	if err == nil {
		return nil
	}
	if !wait.Interrupted(err) || ctx.Err() != nil {
		return err
	}

	logger.Info("claim is kept by a lost node, letting it go")
	stuck := &corev1.PersistentVolumeClaim{}
	if err := e.Client.Get(ctx, key, stuck); err != nil {
		return client.IgnoreNotFound(err)
	}
	if stuck.UID != uid || stuck.DeletionTimestamp.IsZero() {
		return nil
	}
	stuck.SetFinalizers(nil)
	return client.IgnoreNotFound(e.Client.Update(ctx, stuck))
}

func (e *Evictor) onlyLostUsers(ctx context.Context, pvc *corev1.PersistentVolumeClaim) (bool, error) {
	var pods corev1.PodList
	if err := e.Client.List(ctx, &pods, client.InNamespace(pvc.Namespace)); err != nil {
		return false, err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if !mounts(pod, pvc.Name) || pod.Spec.NodeName == "" {
			continue
		}
		node := &corev1.Node{}
		err := e.Client.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		return false, nil
	}
	return true, nil
}

func mounts(pod *corev1.Pod, claim string) bool {
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim {
			return true
		}
	}
	return false
}
