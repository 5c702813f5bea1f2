// Package v1 has the kinds of backup.example.com: a Backup copies the volumes of a namespace into a bucket, and a Schedule
// makes Backups.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "backup.example.com", Version: "v1"}

// AddToScheme makes the kinds known to clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Backup{}, &BackupList{}, &Schedule{}, &ScheduleList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}

const (
	// Finalizer keeps a Backup until its archives are gone.
	Finalizer = "backup.example.com/archives"
	// ScheduleLabel names the Schedule that a Backup was made for.
	ScheduleLabel = "backup.example.com/schedule"
	// RetryAnnotation is set by users: a failed Backup is tried again when the value changes.
	RetryAnnotation = "backup.example.com/retry"
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
	Phase    string   `json:"phase,omitempty"`
	Message  string   `json:"message,omitempty"`
	Retry    string   `json:"retry,omitempty"` // the value of RetryAnnotation that was acted upon
	Archives []string `json:"archives,omitempty"`
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

type ScheduleSpec struct {
	Every    metav1.Duration `json:"every"`
	Template BackupSpec      `json:"template"`
}

type Schedule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ScheduleSpec `json:"spec"`
}

type ScheduleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Schedule `json:"items"`
}
