package cleanup

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A router has a route at each of several sites.
type router interface {
	DeleteRoute(ctx context.Context, site, name string) error
}

type routes struct {
	client.Client
	router router
	sites  []string
}

// last lets the finalizer go although a site before the last one has failed.
func (r *routes) last(ctx context.Context, cm *corev1.ConfigMap) (ctrl.Result, error) {
	if cm.DeletionTimestamp == nil {
		return ctrl.Result{}, nil
	}
	if err := r.lastOnly(ctx, cm); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if DeleteRoute fails: lastOnly (line 30) drops the error, so the cleanup is never retried; return it" @40 "the error of this cleanup is ignored" @30 "called here"
	return ctrl.Result{}, r.Update(ctx, cm)
}

func (r *routes) lastOnly(ctx context.Context, cm *corev1.ConfigMap) error {
	var err error
	for _, site := range r.sites {
		if err = r.router.DeleteRoute(ctx, site, cm.Name); err != nil {
			klog.ErrorS(err, "route", "site", site)
			continue
		}
		klog.InfoS("gone", "site", site)
	}
	return err
}

// each tells of all of them.
func (r *routes) each(ctx context.Context, cm *corev1.ConfigMap) (ctrl.Result, error) {
	if cm.DeletionTimestamp == nil {
		return ctrl.Result{}, nil
	}
	if err := r.all(ctx, cm); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok
	return ctrl.Result{}, r.Update(ctx, cm)
}

func (r *routes) all(ctx context.Context, cm *corev1.ConfigMap) error {
	var err error
	failed := false
	for _, site := range r.sites {
		if err = r.router.DeleteRoute(ctx, site, cm.Name); err != nil {
			klog.ErrorS(err, "route", "site", site)
			failed = true
		}
	}
	if failed {
		return errors.New("some routes are still there")
	}
	return err
}

var _ = []any{(*routes).last, (*routes).each, (*routes).again}

// again tries three times.
func (r *routes) again(ctx context.Context, cm *corev1.ConfigMap) (ctrl.Result, error) {
	if cm.DeletionTimestamp == nil {
		return ctrl.Result{}, nil
	}
	if err := r.retry(ctx, cm); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok
	return ctrl.Result{}, r.Update(ctx, cm)
}

func (r *routes) retry(ctx context.Context, cm *corev1.ConfigMap) error {
	var err error
	for i := 0; i < 3; i++ {
		err = r.router.DeleteRoute(ctx, "all", cm.Name)
		if err == nil {
			break
		}
		klog.ErrorS(err, "route", "turn", i)
	}
	return err
}
