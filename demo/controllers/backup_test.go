package controllers_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/controllers"
	"github.com/ctrllint/ctrllint/demo/inventory"
)

func newClient(t *testing.T, objects ...client.Object) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return clientfake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithStatusSubresource(&v1.Backup{}).Build()
}

// memory is a Bucket. It refuses volumes while full is set.
type memory struct {
	volumes map[string]string // by archive
	full    error
}

func (m *memory) Copy(_ context.Context, archive, volume string) error {
	if m.full == nil {
		m.volumes[archive] = volume
	}
	return m.full
}

func (m *memory) Delete(_ context.Context, archive string) error {
	delete(m.volumes, archive)
	return nil
}

type oneCluster struct{ only *inventory.Inventory }

func (c oneCluster) Inventory(context.Context, string) (*inventory.Inventory, error) {
	return c.only, nil
}

func TestBackup(t *testing.T) {
	ctx := t.Context()
	inv, err := inventory.Open(ctx, fake.NewClientset(&corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders"},
		Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
	}))
	if err != nil {
		t.Fatal(err)
	}
	backup := &v1.Backup{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "nightly", UID: "7"},
		Spec:       v1.BackupSpec{Cluster: "east", Namespace: "shop"},
	}
	bucket := &memory{volumes: map[string]string{}, full: errors.New("the bucket is full")}
	r := &controllers.BackupReconciler{Client: newClient(t, backup), Clusters: oneCluster{inv}, Bucket: bucket}
	reconcile := func() {
		t.Helper()
		if _, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(backup)}); err != nil {
			t.Fatal(err)
		}
		if err := r.Get(ctx, client.ObjectKeyFromObject(backup), backup); client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}

	reconcile()
	if backup.Status.Phase != v1.PhaseFailed || backup.Status.Message != bucket.full.Error() {
		t.Errorf("with a full bucket: %+v", backup.Status)
	}

	bucket.full = nil
	reconcile()
	if len(bucket.volumes) > 0 {
		t.Errorf("tried again, though nobody has asked for that: %v", bucket.volumes)
	}

	backup.Annotations = map[string]string{v1.RetryAnnotation: "1"}
	if err := r.Update(ctx, backup); err != nil {
		t.Fatal(err)
	}
	reconcile()
	if want := map[string]string{"7-orders": "east/shop/orders"}; backup.Status.Phase != v1.PhaseDone || !maps.Equal(bucket.volumes, want) {
		t.Errorf("with room in the bucket: %+v, %v", backup.Status, bucket.volumes)
	}

	if err := r.Delete(ctx, backup); err != nil {
		t.Fatal(err)
	}
	reconcile()
	if err := r.Get(ctx, client.ObjectKeyFromObject(backup), backup); client.IgnoreNotFound(err) != nil || err == nil {
		t.Errorf("the deleted backup is still there (%v)", err)
	}
	if len(bucket.volumes) > 0 {
		t.Errorf("left behind: %v", bucket.volumes)
	}
}
