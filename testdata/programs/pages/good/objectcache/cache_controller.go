// The cleanups are functions that a shared package calls; they swallow only
// what says "gone" and pass every other failure on, so the finalizer stays.
//
//adv:rule=finalizerorder sub=removedonerror claim=no
package objectcache

import (
	"context"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/objectcache/cleanup"
)

type CacheInstance struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		MemoryMB int
	}
}

func (c *CacheInstance) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	return &out
}

type vendor struct {
	base string
	http *http.Client
}

func (v *vendor) call(ctx context.Context, method, path string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, method, v.base+path, nil)
	if err != nil {
		return 0, err
	}
	resp, err := v.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}()
	return resp.StatusCode, nil
}

func (v *vendor) delete(ctx context.Context, path string) error {
	code, err := v.call(ctx, http.MethodDelete, path)
	switch {
	case err != nil:
		return err
	case code == http.StatusNotFound:
		return cleanup.ErrGone
	case code >= 300:
		return fmt.Errorf("DELETE %s: status %d", path, code)
	}
	return nil
}

type CacheReconciler struct {
	client.Client
	vendor   *vendor
	cleanups *cleanup.Set[*CacheInstance]
}

func NewCacheReconciler(c client.Client, baseURL string) *CacheReconciler {
	r := &CacheReconciler{Client: c, vendor: &vendor{base: baseURL, http: http.DefaultClient}}
	r.cleanups = (&cleanup.Set[*CacheInstance]{Client: c, Finalizer: "cache.swiftkeep.io/instance"}).
		Register("acl", r.deleteACL).
		Register("instance", func(ctx context.Context, obj *CacheInstance) error {
			return r.vendor.delete(ctx, "/v1/instances/"+string(obj.UID))
		})
	return r
}

func (r *CacheReconciler) deleteACL(ctx context.Context, obj *CacheInstance) error {
	err := r.vendor.delete(ctx, "/v1/acls/"+string(obj.UID))
	if err == cleanup.ErrGone {
		log.FromContext(ctx).Info("no ACL to delete")
		return nil
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "could not delete ACL")
	}
	return err
}

func (r *CacheReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	obj := &CacheInstance{}
	if err := r.Get(ctx, req.NamespacedName, obj); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !obj.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.cleanups.Run(ctx, obj)
	}
	if err := r.cleanups.Guard(ctx, obj); err != nil {
		return ctrl.Result{}, err
	}
	for _, kind := range []string{"instances", "acls"} {
		code, err := r.vendor.call(ctx, http.MethodPut, "/v1/"+kind+"/"+string(obj.UID))
		if err != nil {
			return ctrl.Result{}, err
		}
		if code >= 300 {
			return ctrl.Result{}, fmt.Errorf("PUT %s: status %d", kind, code)
		}
	}
	return ctrl.Result{}, nil
}

func (r *CacheReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&CacheInstance{}).Complete(r)
}
