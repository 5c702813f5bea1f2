// Package v1 has the kind of backup.example.com: a Backup copies the volumes of a namespace into a bucket.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "backup.example.com", Version: "v1"}

// AddToScheme makes the kind known to clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Backup{}, &BackupList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}

const (
	// Finalizer keeps a Backup until its archive is gone.
	Finalizer = "backup.example.com/archive"
	// RetryAnnotation is set by users, to a number: a failed Backup is tried again when it changes.
	RetryAnnotation = "backup.example.com/retry"
	// GiveUp is the value of RetryAnnotation with which a failed Backup is deleted.
	GiveUp = "never"
)

const (
	PhaseDone   = "Done"
	PhaseFailed = "Failed"
)

type BackupSpec struct {
	Cluster   string          `json:"cluster"`
	Namespace string          `json:"namespace"`
	RetainFor metav1.Duration `json:"retainFor,omitempty"`
}

type BackupStatus struct {
	Phase string `json:"phase,omitempty"`
	Retry string `json:"retry,omitempty"` // the value of RetryAnnotation that was acted upon
}

type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BackupSpec   `json:"spec"`
	Status            BackupStatus `json:"status,omitempty"`
}

type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Backup `json:"items"`
}
