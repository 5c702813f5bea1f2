// Package admission checks Backups before they are stored.
package admission

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

// optOutLabel is on namespaces in which nobody may make backups.
const optOutLabel = "backup.example.com/opt-out"

// Validator refuses Backups that cannot work.
type Validator struct {
	namespaces listers.NamespaceLister
}

// NewValidator watches namespaces until ctx ends.
func NewValidator(ctx context.Context, clientset kubernetes.Interface) (*Validator, error) {
	factory := informers.NewSharedInformerFactory(clientset, 0)
	namespaces := factory.Core().V1().Namespaces()
	v, synced := &Validator{namespaces: namespaces.Lister()}, namespaces.Informer().HasSynced

	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(context.Background().Done(), synced) {
		return nil, errors.New("the namespaces could not be listed")
	}
	return v, nil
}

func (v *Validator) ValidateCreate(_ context.Context, backup *v1.Backup) (admission.Warnings, error) {
	if backup.Spec.Cluster == "" || backup.Spec.Namespace == "" {
		return nil, errors.New("spec.cluster and spec.namespace are required")
	}
	namespace, err := v.namespaces.Get(backup.Namespace)
	if err != nil {
		return nil, err
	}
	if namespace.Labels[optOutLabel] == "true" {
		return nil, fmt.Errorf("namespace %s takes no backups", namespace.Name)
	}
	return nil, nil
}

func (v *Validator) ValidateUpdate(_ context.Context, before, after *v1.Backup) (admission.Warnings, error) {
	if before.Spec != after.Spec {
		return nil, errors.New("spec cannot be changed")
	}
	return nil, nil
}

func (v *Validator) ValidateDelete(context.Context, *v1.Backup) (admission.Warnings, error) {
	return nil, nil
}
