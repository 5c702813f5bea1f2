package persist

import (
	"context"
	"encoding/json"

	storage "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes"
)

func markAsDetached(client kubernetes.Interface, va *storage.VolumeAttachment, name string) (*storage.VolumeAttachment, error) {
	newFinalizers := make([]string, 0, len(va.Finalizers))
	found := false
	for _, f := range va.Finalizers {
		if f == name {
			found = true
			continue
		}
		newFinalizers = append(newFinalizers, f)
	}
	if len(newFinalizers) == 0 {
		newFinalizers = nil
	}
	if !found && !va.Status.Attached {
		return va, nil
	}
	clone := va.DeepCopy()
	clone.Finalizers = newFinalizers // want statusonly "clone loses a finalizer here in memory only: the write at line 37 is one of its status, and the API server ignores metadata there; update the object itself" @37 "the only write that follows"
	clone.Status.Attached = false
	patch, err := createMergePatch(va, clone)
	if err != nil {
		return va, err
	}
	newVA, err := client.StorageV1().VolumeAttachments().Patch(context.TODO(), va.Name, types.MergePatchType, patch,
		metav1.PatchOptions{}, "status")
	if err != nil {
		return va, err
	}
	return newVA, nil
}

func createMergePatch(original, new interface{}) ([]byte, error) {
	a, err := json.Marshal(original)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(new)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateTwoWayMergePatch(a, b, storage.VolumeAttachment{})
}
