// The poll is given a context without the caller's cancellation, so that a detach that has begun is seen to its end, but with a deadline of its own.
//
//adv:rule=unboundedsync sub=neverstops claim=no

package volumedetach

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/good/volumedetach/await"
)

const (
	detachFinalizer = "volumes.acme.io/detach"
	detachPatience  = 2 * time.Minute
)

// NodeReconciler detaches the volumes of a node that goes away.
type NodeReconciler struct {
	client.Client
}

//+kubebuilder:rbac:groups=core,resources=nodes,verbs=get;list;watch;update

func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if node.DeletionTimestamp.IsZero() {
		if controllerutil.AddFinalizer(node, detachFinalizer) {
			return ctrl.Result{}, r.Update(ctx, node)
		}
		return ctrl.Result{}, nil
	}
	if !controllerutil.ContainsFinalizer(node, detachFinalizer) {
		return ctrl.Result{}, nil
	}
	err := r.detach(ctx, node.Name)
	if wait.Interrupted(err) {
		ctrl.LoggerFrom(ctx).Info("volumes are still attached", "reason", err.Error())
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(node, detachFinalizer)
	return ctrl.Result{}, r.Update(ctx, node)
}

func (r *NodeReconciler) detach(ctx context.Context, node string) error {
	var attachments storagev1.VolumeAttachmentList
	if err := r.List(ctx, &attachments); err != nil {
		return err
	}
	for i := range attachments.Items {
		va := &attachments.Items[i]
		if va.Spec.NodeName != node {
			continue
		}
		if err := r.Delete(ctx, va); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("detaching %s: %w", va.Name, err)
		}
		waitCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachPatience)
		err := await.Until(waitCtx, "detach of "+va.Name, 2*time.Second, r.gone(client.ObjectKeyFromObject(va)))
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *NodeReconciler) gone(key client.ObjectKey) await.Check {
	return func(ctx context.Context) (bool, error) {
		err := r.Get(ctx, key, &storagev1.VolumeAttachment{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	}
}

// SetupWithManager registers the reconciler.
func (r *NodeReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(r)
}
