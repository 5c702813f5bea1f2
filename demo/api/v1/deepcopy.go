package v1

import "k8s.io/apimachinery/pkg/runtime"

func (b *Backup) DeepCopyObject() runtime.Object { return b.DeepCopy() }

func (b *Backup) DeepCopy() *Backup {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &out
}

func (l *BackupList) DeepCopyObject() runtime.Object {
	out := &BackupList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return out
}
