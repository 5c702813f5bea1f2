// The dynamic factory is started once, when the manager starts, and the reconciler asks it for listers of further kinds later, which nobody starts: they stay empty, and backups are made of nothing.
//
//adv:rule=unboundedsync sub=neverstarted claim=near

package lazydynamic

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// inventory lists what there is of any kind.
type inventory struct {
	factory dynamicinformer.DynamicSharedInformerFactory
}

var (
	_ manager.Runnable               = &inventory{}
	_ manager.LeaderElectionRunnable = &inventory{}
)

func newInventory(c dynamic.Interface) *inventory {
	inv := &inventory{factory: dynamicinformer.NewDynamicSharedInformerFactory(c, 30*time.Minute)}
	// what each backup has
	inv.factory.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps"))
	inv.factory.ForResource(corev1.SchemeGroupVersion.WithResource("secrets"))
	return inv
}

// Start implements manager.Runnable.
func (i *inventory) Start(ctx context.Context) error {
	i.factory.Start(ctx.Done())
	for gvr, ok := range i.factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			return fmt.Errorf("cache of %s did not sync", gvr)
		}
	}
	<-ctx.Done()
	i.factory.Shutdown()
	return nil
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (i *inventory) NeedLeaderElection() bool { return false }

// names gives the names of all objects of the kind in the namespace.
func (i *inventory) names(gvr schema.GroupVersionResource, namespace string) ([]string, error) {
	objs, err := i.factory.ForResource(gvr).Lister().ByNamespace(namespace).List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, obj := range objs {
		acc, ok := obj.(interface{ GetName() string })
		if !ok {
			return nil, fmt.Errorf("unexpected %T", obj)
		}
		out = append(out, gvr.Resource+"/"+acc.GetName())
	}
	sort.Strings(out)
	return out, nil
}

// BackupReconciler writes the manifest of each namespace that asks for a backup.
type BackupReconciler struct {
	client.Client
	inventory *inventory
}

func (r *BackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	kinds, ok := ns.Annotations["backup.acme.io/resources"]
	if !ok {
		return ctrl.Result{}, nil
	}
	var manifest []string
	for _, kind := range strings.Split(kinds, ",") {
		gvr, gr := schema.ParseResourceArg(strings.TrimSpace(kind))
		if gvr == nil {
			log.FromContext(ctx).Info("not a full resource, skipped", "resource", gr.String())
			continue
		}
		names, err := r.inventory.names(*gvr, ns.Name)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("listing %s: %w", gvr, err)
		}
		manifest = append(manifest, names...)
	}
	cm := &corev1.ConfigMap{}
	cm.Namespace, cm.Name = ns.Name, "backup-manifest"
	_, err := ctrl.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"objects": strings.Join(manifest, "\n")}
		return nil
	})
	return ctrl.Result{RequeueAfter: time.Hour}, err
}

// SetupWithManager wires the inventory and the reconciler.
func (r *BackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	dyn, err := dynamic.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	r.Client = mgr.GetClient()
	r.inventory = newInventory(dyn)
	if err := mgr.Add(r.inventory); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Namespace{}).Named("backup").Complete(r)
}
