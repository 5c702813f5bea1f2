package inventory

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func claim(name string, phase corev1.PersistentVolumeClaimPhase) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Status:     corev1.PersistentVolumeClaimStatus{Phase: phase},
	}
}

func TestClaims(t *testing.T) {
	inv, err := Open(t.Context(), fake.NewClientset(
		claim("orders", corev1.ClaimBound), claim("carts", corev1.ClaimBound), claim("logs", corev1.ClaimPending)))
	if err != nil {
		t.Fatal(err)
	}
	if names, err := inv.Claims("shop"); err != nil || !slices.Equal(names, []string{"carts", "orders"}) {
		t.Errorf("%v, %v", names, err)
	}
	inv.update(claim("carts", corev1.ClaimLost))
	if names, err := inv.Claims("shop"); err != nil || !slices.Equal(names, []string{"orders"}) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestTemplate(t *testing.T) {
	bound := claim("orders", corev1.ClaimBound)
	bound.Spec.VolumeName = "pv-7"
	inv, err := Open(t.Context(), fake.NewClientset(bound))
	if err != nil {
		t.Fatal(err)
	}
	if template, err := inv.Template("shop", "orders"); err != nil || template.Name != "orders" || template.Spec.VolumeName != "" {
		t.Errorf("%+v, %v", template, err)
	}
}

func TestNoClaims(t *testing.T) {
	inv, err := Open(t.Context(), fake.NewClientset())
	if err != nil {
		t.Fatal(err)
	}
	if names, err := inv.Claims("shop"); err == nil {
		t.Errorf("no error, but %v", names)
	}
}
