package drainfsm

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Add wires a machine with a lister of its own.
func Add(mgr ctrl.Manager, opts ...Option) error {
	kube, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(kube, 0)
	synced := factory.Core().V1().Nodes().Informer().HasSynced
	m := NewMachine(kube, factory.Core().V1().Nodes().Lister(), opts...)
	start := manager.RunnableFunc(func(ctx context.Context) error {
		factory.Start(ctx.Done())
		<-ctx.Done()
		factory.Shutdown()
		return nil
	})
	if err := mgr.Add(start); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Node{}).
		Named("maintenance").
		Complete(reconcile.Func(func(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
			if !synced() {
				return ctrl.Result{RequeueAfter: 2 * time.Second}, nil
			}
			again, err := m.Step(ctx, req.Name)
			return ctrl.Result{RequeueAfter: again}, err
		}))
}
