// Remove and Ensure wait for the end of a site's goroutine, which needs the manager's mutex, but take the run out under the mutex and give that back before they wait.
//
//adv:rule=lockheld sub=blocking claim=no

package sitesync

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/good/sitesync/sites"
)

// GroupVersion of the types.
var GroupVersion = schema.GroupVersion{Group: "sync.acme.io", Version: "v1alpha1"}

const siteFinalizer = "sync.acme.io/site"

// Site is a remote place that gets a copy.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Endpoint string `json:"endpoint"`
	} `json:"spec"`
	Status struct {
		Revision string `json:"revision,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (s *Site) DeepCopyObject() runtime.Object {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	return &out
}

// SiteList is a list of sites.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Site `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (l *SiteList) DeepCopyObject() runtime.Object {
	out := &SiteList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Site))
	}
	return out
}

// AddToScheme registers the types.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}

// SiteReconciler keeps the goroutines of sites.
type SiteReconciler struct {
	client.Client
	Sites *sites.Manager
}

func (r *SiteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	site := &Site{}
	if err := r.Get(ctx, req.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	name := req.String()
	if !site.DeletionTimestamp.IsZero() {
		r.Sites.Remove(name)
		if controllerutil.RemoveFinalizer(site, siteFinalizer) {
			return ctrl.Result{}, r.Update(ctx, site)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(site, siteFinalizer) {
		if err := r.Update(ctx, site); err != nil {
			return ctrl.Result{}, err
		}
	}
	r.Sites.Ensure(name, site.Spec.Endpoint)
	if rev := r.Sites.Revision(name); rev != site.Status.Revision {
		site.Status.Revision = rev
		if err := r.Status().Update(ctx, site); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
}

// SetupWithManager registers the reconciler.
func (r *SiteReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if err := AddToScheme(mgr.GetScheme()); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&Site{}).Complete(r)
}
