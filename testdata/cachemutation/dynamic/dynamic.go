// Package dynamic reads objects of any kind, and by interfaces whose implementations are in sight elsewhere.
package dynamic

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/cachemutation/accessor"
)

type controller struct {
	defaults map[string]string
	indexer  cache.Indexer
	generic  cache.GenericLister
	services listers.ServiceLister
	copying  accessor.Copying
	mixed    accessor.Mixed
	client   client.Client
}

// content gives out the map of what the lister has: an Unstructured is not written out anew.
func (c *controller) content(name string) (*unstructured.Unstructured, error) {
	obj, err := c.generic.Get(name)
	if err != nil {
		return nil, err
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: m}, nil
}

// mark is called with an object of its own, and with one that has the content of another.
func mark(obj metav1.Object) { obj.SetLabels(map[string]string{"mark": ""}) }

func (c *controller) claim(name string) error {
	obj, err := c.content(name)
	if err != nil {
		return err
	}
	mark(obj.DeepCopy()) // ok
	mark(obj)            // want write "mark (dynamic.go:49) mutates Labels of the Unstructured returned by content(): all readers of the informer cache see the change; pass a DeepCopy" @52 "read from the cache here, without a copy" @37 "content() reads it from the cache here" @49 "written here" @66 "mutates an object from the same read"
	return nil
}

func (c *controller) claimDirectly(name string) error {
	obj, err := c.content(name)
	if err != nil {
		return err
	}
	obj.SetLabels(nil)
	return nil
}

// kind sets what readers of a typed object know anyway.
func (c *controller) kind(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	service.Kind = "Service"                                                                   // ok
	service.TypeMeta = metav1.TypeMeta{Kind: "Service", APIVersion: "v1"}                      // ok
	service.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service"))                 // ok
	service.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service")) // ok
	return nil
}

func (c *controller) copies() {
	pods, _ := c.copying.List(labels.Everything())
	for _, pod := range pods {
		pod.Labels["seen"] = "yes"
	}
	pods, _ = c.mixed.List(labels.Everything())
	for _, pod := range pods {
		pod.Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Pod returned by mixed: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @88 "read from the cache here, without a copy"
	}
}

func (c *controller) byReflection(namespace, name string, want *corev1.Service) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	reflect.ValueOf(service).Elem().Set(reflect.ValueOf(want).Elem()) // want write "mutates the fields of the Service returned by services: all readers of the informer cache see the change; modify a DeepCopy" @95 "read from the cache here, without a copy"
	return nil
}

func (c *controller) readByReflection(namespace, name string, into *corev1.Service) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(service).Elem())
	return nil
}

func (c *controller) options(ctx context.Context) error {
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, &client.ListOptions{UnsafeDisableDeepCopy: ptr.To(true)}); err != nil {
		return err
	}
	sort.Slice(list.Items, func(i, j int) bool { return list.Items[i].Name < list.Items[j].Name }) // ok: a slice of its own
	for i := range list.Items {
		*list.Items[i].Spec.Replicas = 1               // want write "mutates Replicas of the Deployment that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change; modify a DeepCopy or drop the option" @114 "read from the cache here, without a copy"
		list.Items[i].Spec.Replicas = ptr.To(int32(0)) // ok: of the struct that is the list's
		*list.Items[i].Spec.Replicas = 1               // ok: nobody else has that one
	}
	return nil
}

// sameMaps puts back what it has got.
func (c *controller) sameMaps(ctx context.Context) error {
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	for i := range list.Items {
		list.Items[i].Labels = same(list.Items[i].Labels)
		list.Items[i].Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Deployment that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @129 "read from the cache here, without a copy"
	}
	return nil
}

func same(labels map[string]string) map[string]string {
	if len(labels) > 10 {
		return maps.Clone(labels)
	}
	return labels
}

// ownMaps puts maps of its own into the structs of the list before it writes to them.
func (c *controller) ownMaps(ctx context.Context, strict bool) error {
	nodes := &corev1.NodeList{}
	if err := c.client.List(ctx, nodes, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		if node.Labels != nil {
			node.Labels = maps.Clone(node.Labels)
			for _, key := range []string{"zone", "rack"} {
				node.Labels[key] = "unknown" // ok
			}
			delete(node.Labels, "room") // ok
		}
		if strict {
			node.Annotations = maps.Clone(node.Annotations)
		}
		node.Annotations["checked"] = "yes" // want write "mutates an entry of Annotations of the Node that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @149 "read from the cache here, without a copy"
	}
	return nil
}

// oldList writes to the list that it has taken out, and not to the one that it has put there.
func (c *controller) oldList(ctx context.Context) error {
	nodes := &corev1.NodeList{}
	if err := c.client.List(ctx, nodes, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	for i := range nodes.Items {
		old := nodes.Items[i].Spec.Taints
		nodes.Items[i].Spec.Taints = slices.Clone(old)
		nodes.Items[i].Spec.Taints[0].Key = "n" // ok
		old[0].Key = "old"                      // want write "mutates Key of the Node that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change; modify a DeepCopy or drop the option" @172 "read from the cache here, without a copy"
	}
	return nil
}

// reread fills the struct a second time.
func (c *controller) reread(ctx context.Context, key client.ObjectKey) error {
	node := &corev1.Node{}
	node.Labels = maps.Clone(c.defaults)
	if err := c.client.Get(ctx, key, node, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	node.Labels["rack"] = "r1" // want write "mutates an entry of Labels of the Node that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @188 "read from the cache here, without a copy"
	node.Labels = maps.Clone(node.Labels)
	node.Labels["rack"] = "r2" // ok
	return nil
}

func (c *controller) copyingOptions(ctx context.Context) error {
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, &client.ListOptions{UnsafeDisableDeepCopy: ptr.To(false)}); err != nil {
		return err
	}
	for i := range list.Items {
		list.Items[i].Spec.Replicas = ptr.To(int32(0)) // ok
	}
	return nil
}

// structs go through functions as they are: what their references lead to is still the cache's.
func (c *controller) throughFunction(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	spec, err := defaulted(service.Spec)
	if err != nil {
		return err
	}
	spec.Type = "LoadBalancer" // ok: of the copy
	spec.Selector["a"] = "b"   // want write "mutates an entry of Selector of the Service returned by services: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @210 "read from the cache here, without a copy"
	return nil
}

func defaulted(spec corev1.ServiceSpec) (corev1.ServiceSpec, error) { return spec, nil }

// typed objects are written out anew.
func (c *controller) typed(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	content, err := contentOf(service)
	if err != nil {
		return err
	}
	delete(content, "status") // ok: of its own
	return nil
}

func (c *controller) generically(name string) error {
	obj, err := c.generic.Get(name)
	if err != nil {
		return err
	}
	content, err := contentOf(obj)
	if err != nil {
		return err
	}
	delete(content, "status") // want write "mutates an entry of contentOf() of the object returned by generic: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @240 "read from the cache here, without a copy"
	return nil
}

func contentOf(obj runtime.Object) (map[string]any, error) {
	return runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
}

func withoutStatus(obj runtime.Object) error {
	content, err := contentOf(obj)
	if err == nil {
		delete(content, "status")
	}
	return err
}

func (c *controller) behindFunctions(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	if err := withoutStatus(service); err != nil { // ok
		return err
	}
	obj, err := c.generic.Get(name)
	if err != nil {
		return err
	}
	return withoutStatus(obj) // want write "withoutStatus (dynamic.go:259) mutates an entry of contentOf() of the object returned by generic: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @272 "read from the cache here, without a copy" @259 "written here"
}

// What is empty and what is not there are the same for who reads it.
func (c *controller) fills(namespace, name string) (*corev1.Service, error) {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	if service.Labels == nil {
		service.Labels = map[string]string{} // ok
	}
	if len(service.Spec.Selector) == 0 {
		service.Spec.Selector = make(map[string]string) // ok
	}
	if service.GetAnnotations() == nil {
		service.SetAnnotations(map[string]string{}) // ok
	}
	service = service.DeepCopy()
	service.Annotations["a"] = "b"
	return service, nil
}

func (c *controller) fillsAndWrites(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	if service.Annotations == nil {
		service.Annotations = map[string]string{}
	}
	service.Annotations["a"] = "b" // want write "mutates an entry of Annotations of the Service returned by services: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @300 "read from the cache here, without a copy"
	return nil
}

func (c *controller) empties(namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	if service.Annotations != nil {
		service.Annotations = map[string]string{} // want write "mutates Annotations of the Service returned by services: all readers of the informer cache see the change; modify a DeepCopy" @312 "read from the cache here, without a copy"
	}
	return nil
}

// conditioned sets its own conditions.
type conditioned struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Conditions []metav1.Condition `json:"conditions"`
}

func (c *conditioned) DeepCopyObject() runtime.Object       { out := *c; return &out }
func (c *conditioned) SetConditions(all []metav1.Condition) { c.Conditions = all }

type setter interface {
	client.Object
	SetConditions(all []metav1.Condition)
}

// manager sets them for others.
type manager struct{ object setter }

func (m manager) ready() { m.object.SetConditions(nil) }

func markReady(object setter) { manager{object: object}.ready() }

func (c *controller) throughInterface(key string) error {
	obj, exists, err := c.indexer.GetByKey(key)
	if err != nil || !exists {
		return err
	}
	markReady(obj.(*conditioned)) // want write "markReady (dynamic.go:330) mutates Conditions of the conditioned returned by indexer: all readers of the informer cache see the change; pass a DeepCopy" @345 "read from the cache here, without a copy" @330 "written here"
	return nil
}

// chosen is copied where there is one.
func (c *controller) chosen() (*corev1.Service, error) {
	services, err := c.services.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var best *corev1.Service
	for _, service := range services {
		if best == nil || service.Name < best.Name {
			best = service
		}
	}
	if best != nil {
		best = best.DeepCopy()
	}
	return best, nil
}

func (c *controller) changesChosen() error {
	service, err := c.chosen()
	if err != nil {
		return err
	}
	service.Spec.Type = "" // ok
	return nil
}

// The elements that are changed are replaced before.
func (c *controller) replaces() ([]*corev1.Service, error) {
	services, err := c.services.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	for i, service := range services {
		if service.Spec.Type == "" {
			services[i] = service.DeepCopy()
			services[i].Spec.Type = "ClusterIP" // ok
		}
		if service.Spec.Selector == nil {
			services[i].Spec.Type = "ExternalName" // want write "mutates Type of the Service returned by services: all readers of the informer cache see the change; modify a DeepCopy" @382 "read from the cache here, without a copy"
		}
	}
	return services, nil
}

// foundOrMade tells one from the other by what only the server gives.
func (c *controller) foundOrMade(ctx context.Context, namespace, name string) error {
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		service = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	}
	if service.ResourceVersion == "" {
		service.Spec.Type = "ClusterIP" // ok: made
		return c.client.Create(ctx, service)
	}
	if service.GetUID() == "" {
		service.Spec.ClusterIP = "None" // ok: made
	}
	if service.CreationTimestamp.IsZero() {
		service.Spec.ClusterIP = "" // ok: made
	}
	if service.ResourceVersion != "" {
		service.Spec.Type = "ExternalName" // want write "mutates Type of the Service returned by services: all readers of the informer cache see the change; modify a DeepCopy" @400 "read from the cache here, without a copy"
	}
	return nil
}
