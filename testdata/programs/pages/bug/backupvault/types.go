package backupvault

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// BackupVault is a bucket with a key of its own.
type BackupVault struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BackupVaultSpec   `json:"spec"`
	Status BackupVaultStatus `json:"status,omitempty"`
}

type BackupVaultSpec struct {
	Region        string `json:"region"`
	RetentionDays int32  `json:"retentionDays"`
}

type BackupVaultStatus struct {
	Bucket string `json:"bucket,omitempty"`
	KeyID  string `json:"keyID,omitempty"`
	Phase  string `json:"phase,omitempty"`
}

func (v *BackupVault) DeepCopy() *BackupVault {
	out := *v
	v.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (v *BackupVault) DeepCopyObject() runtime.Object { return v.DeepCopy() }

// ObjectStore is the part of the S3 API that is used.
type ObjectStore interface {
	EnsureBucket(ctx context.Context, name, region, keyID string) error
	PurgeBucket(ctx context.Context, name string) error
	DeleteBucket(ctx context.Context, name string) error
}

// KeyService is the part of the KMS API that is used.
type KeyService interface {
	EnsureKey(ctx context.Context, alias string) (string, error)
	ScheduleKeyDeletion(ctx context.Context, keyID string, days int32) error
}
