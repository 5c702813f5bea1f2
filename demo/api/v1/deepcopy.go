package v1

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

func (b *Backup) DeepCopyObject() runtime.Object { return b.DeepCopy() }

func (b *Backup) DeepCopy() *Backup {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	out.Status.Archives = slices.Clone(b.Status.Archives)
	return &out
}

func (l *BackupList) DeepCopyObject() runtime.Object {
	out := &BackupList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return out
}

func (s *Schedule) DeepCopyObject() runtime.Object { return s.DeepCopy() }

func (s *Schedule) DeepCopy() *Schedule {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	return &out
}

func (l *ScheduleList) DeepCopyObject() runtime.Object {
	out := &ScheduleList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return out
}
