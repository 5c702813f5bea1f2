// The filter compares whole copies of the specs, from which it has taken only the note, and the reconciler reads that for its log alone.
//
//adv:rule=eventfilter sub=fields claim=no
package alertroute

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

var configs = schema.GroupVersionResource{Group: "monitoring.coreos.com", Version: "v1alpha1", Resource: "alertmanagerconfigs"}

// AlertRoute sends the alerts of a team to its channel.
type AlertRoute struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec AlertRouteSpec `json:"spec"`
}

type AlertRouteSpec struct {
	Receiver string            `json:"receiver"`
	Matchers map[string]string `json:"matchers,omitempty"`
	Wait     *metav1.Duration  `json:"wait,omitempty"`
	// Note is for the people on call.
	Note string `json:"note,omitempty"`
}

func (a *AlertRoute) DeepCopyObject() runtime.Object {
	out := *a
	a.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if a.Spec.Matchers != nil {
		out.Spec.Matchers = make(map[string]string, len(a.Spec.Matchers))
		for k, v := range a.Spec.Matchers {
			out.Spec.Matchers[k] = v
		}
	}
	if a.Spec.Wait != nil {
		out.Spec.Wait = ptr.To(*a.Spec.Wait)
	}
	return &out
}

// routing is the spec without what is for people only.
func routing(route *AlertRoute) AlertRouteSpec {
	spec := route.Spec
	spec.Note = ""
	return spec
}

func routingChanged(e event.UpdateEvent) bool {
	was, ok := e.ObjectOld.(*AlertRoute)
	if !ok {
		return true
	}
	is, ok := e.ObjectNew.(*AlertRoute)
	if !ok {
		return true
	}
	return !equality.Semantic.DeepEqual(routing(was), routing(is))
}

// Reconciler makes an AlertmanagerConfig of each route, which the cluster collects with it.
type Reconciler struct {
	client  client.Reader
	dynamic dynamic.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	route := &AlertRoute{}
	if err := r.client.Get(ctx, req.NamespacedName, route); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	logger := ctrl.LoggerFrom(ctx, "receiver", route.Spec.Receiver, "note", route.Spec.Note)

	config := render(route)
	data, err := json.Marshal(config)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("encoding config: %w", err)
	}
	_, err = r.dynamic.Resource(configs).Namespace(route.Namespace).Patch(ctx, config.GetName(),
		types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "alertroute", Force: ptr.To(true)})
	switch {
	case apierrors.IsInvalid(err):
		logger.Error(err, "The route makes no valid config")
		return ctrl.Result{}, nil // until somebody changes it
	case err != nil:
		return ctrl.Result{}, fmt.Errorf("applying config: %w", err)
	}
	logger.Info("Route applied")
	return ctrl.Result{}, nil
}

func render(route *AlertRoute) *unstructured.Unstructured {
	matchers := []any{}
	for _, name := range slices.Sorted(maps.Keys(route.Spec.Matchers)) {
		matchers = append(matchers, map[string]any{"name": name, "value": route.Spec.Matchers[name], "matchType": "="})
	}
	tree := map[string]any{"receiver": route.Spec.Receiver, "matchers": matchers}
	if route.Spec.Wait != nil {
		tree["groupWait"] = route.Spec.Wait.Duration.String()
	}
	config := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"route":     tree,
		"receivers": []any{map[string]any{"name": route.Spec.Receiver}},
	}}}
	config.SetAPIVersion(configs.GroupVersion().String())
	config.SetKind("AlertmanagerConfig")
	config.SetName("route-" + route.Name)
	config.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: "alerts.oncall.example/v1", Kind: "AlertRoute", Name: route.Name, UID: route.UID, Controller: ptr.To(true),
	}})
	return config
}

// Setup registers the controller.
func Setup(mgr ctrl.Manager) error {
	d, err := dynamic.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&AlertRoute{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: routingChanged})).
		Complete(&Reconciler{client: mgr.GetClient(), dynamic: d})
}
