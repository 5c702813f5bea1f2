// The finalizer of a detached VolumeAttachment is taken off in memory, and the
// object is then written with UpdateStatus, which ignores metadata.
//
//adv:rule=finalizerorder sub=statusonly claim=yes
package attachvol

import (
	"context"
	"fmt"
	"slices"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	storagelisters "k8s.io/client-go/listers/storage/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const attachFinalizer = "external-attacher/ironvol-csi"

// Driver is the CSI connection.
type Driver interface {
	Name() string
	Attach(ctx context.Context, volume, node string) error
	Detach(ctx context.Context, volume, node string) error
}

type attachHandler struct {
	client kubernetes.Interface
	lister storagelisters.VolumeAttachmentLister
	queue  workqueue.TypedRateLimitingInterface[string]
	driver Driver
}

// Start runs the attacher until the context ends.
func Start(ctx context.Context, client kubernetes.Interface, driver Driver) error {
	factory := informers.NewSharedInformerFactory(client, 10*time.Minute)
	informer := factory.Storage().V1().VolumeAttachments()
	h := &attachHandler{
		client: client,
		lister: informer.Lister(),
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		driver: driver,
	}
	add := func(obj any) {
		if va, ok := obj.(*storagev1.VolumeAttachment); ok && va.Spec.Attacher == driver.Name() {
			h.queue.Add(va.Name)
		}
	}
	if _, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, obj any) { add(obj) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go func() {
		<-ctx.Done()
		h.queue.ShutDown()
	}()
	for h.next(ctx) {
	}
	return nil
}

func (h *attachHandler) next(ctx context.Context) bool {
	name, quit := h.queue.Get()
	if quit {
		return false
	}
	defer h.queue.Done(name)
	if err := h.sync(ctx, name); err != nil {
		klog.ErrorS(err, "Error syncing VolumeAttachment", "name", name)
		h.queue.AddRateLimited(name)
		return true
	}
	h.queue.Forget(name)
	return true
}

func (h *attachHandler) sync(ctx context.Context, name string) error {
	cached, err := h.lister.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	va := cached.DeepCopy()
	if va.Spec.Source.PersistentVolumeName == nil {
		return nil
	}
	volume := *va.Spec.Source.PersistentVolumeName
	if va.DeletionTimestamp == nil {
		return h.attach(ctx, va, volume)
	}
	if !slices.Contains(va.Finalizers, attachFinalizer) {
		return nil
	}
	if err := h.driver.Detach(ctx, volume, va.Spec.NodeName); err != nil {
		return fmt.Errorf("failed to detach: %w", err)
	}
	va.Finalizers = slices.DeleteFunc(va.Finalizers, func(f string) bool { return f == attachFinalizer })
	va.Status.Attached = false
	va.Status.DetachError = nil
	va.Status.AttachmentMetadata = nil
	if _, err := h.client.StorageV1().VolumeAttachments().UpdateStatus(ctx, va, metav1.UpdateOptions{}); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("could not mark as detached: %w", err)
	}
	klog.V(3).InfoS("Fully detached", "name", name)
	return nil
}

func (h *attachHandler) attach(ctx context.Context, va *storagev1.VolumeAttachment, volume string) error {
	if va.Status.Attached {
		return nil
	}
	api := h.client.StorageV1().VolumeAttachments()
	if !slices.Contains(va.Finalizers, attachFinalizer) {
		va.Finalizers = append(va.Finalizers, attachFinalizer)
		updated, err := api.Update(ctx, va, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		va = updated
	}
	if err := h.driver.Attach(ctx, volume, va.Spec.NodeName); err != nil {
		return fmt.Errorf("failed to attach: %w", err)
	}
	va.Status.Attached = true
	_, err := api.UpdateStatus(ctx, va, metav1.UpdateOptions{})
	return err
}
