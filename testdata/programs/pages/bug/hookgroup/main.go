// The manager and the notification server run in an errgroup without a context, so when the manager ends because its lease is lost the server goes on and the process stays without its controllers.
//
//adv:rule=startctx sub=unmanaged claim=yes

package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"example.com/pages/bug/hookgroup/server"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	addr      string
	namespace string
}

func main() {
	var o options
	flag.StringVar(&o.addr, "notify-address", ":8090", "where the registry sends its notifications")
	flag.StringVar(&o.namespace, "lease-namespace", "registry-system", "")
	flag.Parse()
	ctrl.SetLogger(klog.NewKlogr())
	if err := run(ctrl.SetupSignalHandler(), o); err != nil {
		ctrl.Log.Error(err, "operator failed")
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:                true,
		LeaderElectionID:              "registry-operator",
		LeaderElectionNamespace:       o.namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return fmt.Errorf("new manager: %w", err)
	}
	if err := (&imageReconciler{Client: mgr.GetClient()}).setup(mgr); err != nil {
		return err
	}

	var g errgroup.Group
	g.Go(func() error {
		if err := mgr.Start(ctx); err != nil {
			return fmt.Errorf("manager: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		s := &server.Server{Addr: o.addr, Reader: mgr.GetClient()}
		return s.ListenAndServe(ctx)
	})
	return g.Wait()
}

type imageReconciler struct{ client.Client }

func (r *imageReconciler) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r)
}

// Reconcile marks Pods with the repository of their first image.
func (r *imageReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(pod.Spec.Containers) == 0 || pod.Labels["registry/repo"] != "" {
		return ctrl.Result{}, nil
	}
	base := pod.DeepCopy()
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels["registry/repo"] = repository(pod.Spec.Containers[0].Image)
	return ctrl.Result{}, client.IgnoreNotFound(r.Patch(ctx, pod, client.MergeFrom(base)))
}

func repository(image string) string {
	for i := len(image) - 1; i >= 0; i-- {
		switch image[i] {
		case '/':
			return image[i+1:]
		case ':', '@':
			image = image[:i]
		}
	}
	return image
}
