package sweeper

import (
	"io"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

func TestSweep(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	backup := func(name string, age, retain time.Duration) *v1.Backup {
		return &v1.Backup{
			ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, CreationTimestamp: metav1.NewTime(now.Add(-age))},
			Spec:       v1.BackupSpec{RetainFor: metav1.Duration{Duration: retain}},
		}
	}
	s := &Sweeper{Journal: NewJournal(io.Discard), Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		backup("old", 3*time.Hour, 2*time.Hour), backup("new", time.Hour, 2*time.Hour), backup("kept", 1000*time.Hour, 0)).Build()}
	if err := s.sweep(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	var left v1.BackupList
	if err := s.Client.List(t.Context(), &left); err != nil {
		t.Fatal(err)
	}
	if len(left.Items) != 2 || left.Items[0].Name != "kept" || left.Items[1].Name != "new" {
		t.Errorf("left are %+v", left.Items)
	}
}
