package admission

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

func TestValidator(t *testing.T) {
	v, err := NewValidator(t.Context(), fake.NewClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "private", Labels: map[string]string{optOutLabel: "true"}}},
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		namespace, cluster, of string
		ok                     bool
	}{
		{"team", "east", "shop", true},
		{"team", "", "shop", false},
		{"team", "east", "", false},
		{"private", "east", "shop", false},
		{"unknown", "east", "shop", false},
	} {
		backup := &v1.Backup{ObjectMeta: metav1.ObjectMeta{Namespace: test.namespace}, Spec: v1.BackupSpec{Cluster: test.cluster, Namespace: test.of}}
		if _, err := v.ValidateCreate(t.Context(), backup); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
		moved := backup.DeepCopy()
		moved.Spec.Namespace = "elsewhere"
		if _, err := v.ValidateUpdate(t.Context(), backup, moved); err == nil {
			t.Errorf("%+v can be changed", test)
		}
	}
}
