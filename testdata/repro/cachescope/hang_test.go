package cachescope_test

import (
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/operators/repro/cachescope/hang"
	"example.com/operators/repro/stuck"
)

// The role has get for Secrets, and no list. The bad code still waits when the list has been refused twice.
func TestHang(t *testing.T) {
	start := func(t *testing.T, add func(ctrl.Manager, func(*corev1.Secret)) error) (*server, <-chan string) {
		s := serve(t, "list secrets", "watch secrets")
		m, err := ctrl.NewManager(s.config, ctrl.Options{
			Logger:         logr.Discard(),
			Metrics:        metricsserver.Options{BindAddress: "0"},
			MapperProvider: mapper,
			Controller:     config.Controller{SkipNameValidation: ptr.To(true)},
		})
		used := make(chan string, 1)
		if err == nil {
			err = add(m, func(secret *corev1.Secret) { used <- secret.Name })
		}
		if err != nil {
			t.Fatal(err)
		}
		run(t, m.Start)
		return s, used
	}
	t.Run("bad", func(t *testing.T) {
		t.Parallel()
		s, used := start(t, hang.AddBad)
		await(t, "the list is refused twice", func() bool { return len(s.got("list secrets")) >= 2 })
		await(t, "the reconciler waits", func() bool {
			return stuck.Count(stuck.Dump(), stuck.Wait{State: "select", In: "hang.(*Bad).Reconcile"}) == 1
		})
		if len(used) != 0 {
			t.Error("the Secret was read")
		}
	})
	t.Run("good", func(t *testing.T) {
		t.Parallel()
		s, used := start(t, hang.AddGood)
		await(t, "the Secret is read", func() bool { return len(used) == 1 })
		s.want(t, 1, 0)
	})
}
