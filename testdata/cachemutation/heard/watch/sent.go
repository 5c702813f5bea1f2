package watch

import (
	"context"
	"sort"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// sender asks the server for something after each write.
type sender struct {
	client client.Client
	set    kubernetes.Interface
}

// namespaces deletes what it has written to.
func (s *sender) namespaces(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Namespaces().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			namespace := obj.(*corev1.Namespace)
			namespace.Labels["example.com/done"] = "yes" // want param "this writes an entry of Labels of the Namespace that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 29 fails; change a DeepCopy"
			_ = s.client.Delete(context.TODO(), namespace)
		},
	})
}

// quotas sends a patch that has nothing of what it has written.
func (s *sender) quotas(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().ResourceQuotas().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			quota := obj.(*corev1.ResourceQuota)
			quota.Labels["example.com/done"] = "yes" // want param "this writes an entry of Labels of the ResourceQuota that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 40 fails; change a DeepCopy"
			_ = s.client.Patch(context.TODO(), quota, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"scopes":null}}`)))
		},
	})
}

// ingresses sends the status alone.
func (s *sender) ingresses(factory informers.SharedInformerFactory) {
	_, _ = factory.Networking().V1().Ingresses().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			ingress := obj.(*networkingv1.Ingress)
			ingress.Labels["example.com/done"] = "yes" // want param "this writes an entry of Labels of the Ingress that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 51 fails; change a DeepCopy"
			_, _ = s.set.NetworkingV1().Ingresses(ingress.Namespace).UpdateStatus(context.TODO(), ingress, metav1.UpdateOptions{})
		},
	})
}

// controllers sends all but the status, which it has written to.
func (s *sender) controllers(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().ReplicationControllers().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			controller := obj.(*corev1.ReplicationController)
			controller.Status.Replicas = 1 // want param "this writes Replicas of the ReplicationController that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 62 fails; change a DeepCopy"
			_, _ = s.set.CoreV1().ReplicationControllers(controller.Namespace).Update(context.TODO(), controller, metav1.UpdateOptions{})
		},
	})
}

// budgets sends the status that it has written to.
func (s *sender) budgets(factory informers.SharedInformerFactory) {
	_, _ = factory.Policy().V1().PodDisruptionBudgets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			budget := obj.(*policyv1.PodDisruptionBudget)
			budget.Status.DisruptionsAllowed = 1
			_, _ = s.set.PolicyV1().PodDisruptionBudgets(budget.Namespace).UpdateStatus(context.TODO(), budget, metav1.UpdateOptions{})
		},
	})
}

// Gadget is of a kind whose status may be sent with all else.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            GadgetStatus `json:"status,omitempty"`
}

// GadgetStatus is the status of a Gadget.
type GadgetStatus struct {
	Ready bool `json:"ready"`
}

type gadgetClient interface {
	Update(ctx context.Context, gadget *Gadget, opts metav1.UpdateOptions) (*Gadget, error)
}

func gadgets(informer cache.SharedIndexInformer, client gadgetClient) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			gadget := obj.(*Gadget)
			gadget.Status.Ready = true
			_, _ = client.Update(context.TODO(), gadget, metav1.UpdateOptions{})
		},
	})
}

// isDone decides by what others have written.
func isDone(namespace *corev1.Namespace, ingress *networkingv1.Ingress, controller *corev1.ReplicationController, volume *corev1.PersistentVolume) bool {
	if namespace.Labels["example.com/done"] == "yes" || ingress.Labels["example.com/done"] == "yes" {
		return true
	}
	if controller.Status.Replicas == 1 {
		return volume == nil
	}
	return volume != nil && volume.Spec.StorageClassName == "plain"
}

// classes sends nothing of what it has written, and nobody in the package decides by it.
func (s *sender) classes(factory informers.SharedInformerFactory) {
	_, _ = factory.Networking().V1().IngressClasses().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			class := obj.(*networkingv1.IngressClass)
			if class.Labels["example.com/done"] != "yes" {
				class.Labels["example.com/done"] = "yes"
			}
			_ = s.client.Delete(context.TODO(), class)
		},
	})
}

// endpoints sorts what it alone sees each time before it decides by it.
func (s *sender) endpoints(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Endpoints().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, cur any) {
			all := cur.(*corev1.Endpoints)
			sorted := newest(all.Subsets)
			if len(all.Subsets) > 1 && len(sorted[0].Addresses) == 0 {
				_ = s.client.Delete(context.TODO(), &corev1.Pod{})
			}
		},
	})
}

func newest(subsets []corev1.EndpointSubset) []corev1.EndpointSubset {
	sort.Slice(subsets, func(i, j int) bool { return len(subsets[i].Addresses) < len(subsets[j].Addresses) })
	return subsets
}

// events is left with less than there was.
func (s *sender) events(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Events().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, cur any) {
			event := cur.(*corev1.Event)
			event.Message = "" // want param "this writes Message of the Event that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 153 fails; change a DeepCopy"
			if event.Message != "" {
				_ = s.client.Delete(context.TODO(), event)
			}
		},
	})
}
