package volumebackup

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ExecHook runs a command in a container of the workload.
type ExecHook struct {
	Container string   `json:"container"`
	Command   []string `json:"command"`
}

func (h *ExecHook) deepCopy() *ExecHook {
	if h == nil {
		return nil
	}
	return &ExecHook{Container: h.Container, Command: slices.Clone(h.Command)}
}

// Hooks run around a backup.
type Hooks struct {
	Pre            *ExecHook `json:"pre,omitempty"`
	Post           *ExecHook `json:"post,omitempty"`
	OnFailure      *ExecHook `json:"onFailure,omitempty"`
	TimeoutSeconds int       `json:"timeoutSeconds,omitempty"`
}

// VolumeBackup backs a claim up.
type VolumeBackup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   VolumeBackupSpec   `json:"spec"`
	Status VolumeBackupStatus `json:"status,omitempty"`
}

// VolumeBackupSpec is the wish.
type VolumeBackupSpec struct {
	ClaimName string `json:"claimName"`
	Schedule  string `json:"schedule"`
	Hooks     Hooks  `json:"hooks,omitempty"`
}

// VolumeBackupStatus is what is known.
type VolumeBackupStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// DeepCopy copies.
func (in *VolumeBackup) DeepCopy() *VolumeBackup {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Hooks.Pre = in.Spec.Hooks.Pre.deepCopy()
	out.Spec.Hooks.Post = in.Spec.Hooks.Post.deepCopy()
	out.Spec.Hooks.OnFailure = in.Spec.Hooks.OnFailure.deepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *VolumeBackup) DeepCopyObject() runtime.Object { return in.DeepCopy() }
