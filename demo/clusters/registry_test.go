package clusters

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func TestInventory(t *testing.T) {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "backup-system", Name: "broken"},
		Data:       map[string][]byte{"kubeconfig": []byte("what?")},
	}
	r := NewRegistry(t.Context(), fake.NewClientBuilder().WithObjects(secret).Build(), "backup-system")
	for _, name := range []string{"unknown", "broken", "broken"} {
		if _, err := r.Inventory(t.Context(), name); err == nil {
			t.Errorf("cluster %s could be opened", name)
		}
	}
}
