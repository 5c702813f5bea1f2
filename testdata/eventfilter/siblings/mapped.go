package siblings

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A mapper maps services to the ingresses that send to them.
type mapper struct {
	client.Client
	class string
}

func (m *mapper) ofOneClass(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	if err := m.List(ctx, &list, client.InNamespace(o.GetNamespace())); err != nil {
		return nil // ok: there is no list
	}
	var all []reconcile.Request
	for _, ing := range list.Items {
		if ing.Spec.IngressClassName == nil || *ing.Spec.IngressClassName != m.class {
			return nil // want siblings "(*mapper).ofOneClass returns no request because of one *v1.Ingress of which it has not asked yet whether it has to do with the object: what was collected of others is lost, and those behind it are not looked at" @33 "requests are collected here"
		}
		if backend(&ing) == o.GetName() {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&ing)})
		}
	}
	return all
}

// ofClass makes what does so.
func ofClass(c client.Client, class string) handler.MapFunc {
	return func(ctx context.Context, o client.Object) []reconcile.Request {
		var list networkingv1.IngressList
		if err := c.List(ctx, &list); err != nil {
			return nil
		}
		all := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			ing := &list.Items[i]
			if !isOf(ing, class) {
				return []reconcile.Request{} // want siblings "this function returns no request because of one *v1.Ingress of which it has not asked yet whether it has to do with the object: what was collected of others is lost, and those behind it are not looked at" @58 "requests are collected here"
			}
			for _, rule := range ing.Spec.Rules {
				if rule.HTTP == nil {
					continue
				}
				for _, path := range rule.HTTP.Paths {
					if path.Backend.Service != nil && path.Backend.Service.Name == o.GetName() {
						all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ing)})
					}
				}
			}
		}
		return all
	}
}

func (m *mapper) skipping(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	if err := m.List(ctx, &list); err != nil {
		return nil
	}
	var all []reconcile.Request
	for i := range list.Items {
		if !isOf(&list.Items[i], m.class) {
			continue
		}
		if backend(&list.Items[i]) == o.GetName() {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return all
}

// untilTheFirst gives what it has.
func (m *mapper) untilTheFirst(ctx context.Context, o client.Object) (all []reconcile.Request) {
	var list networkingv1.IngressList
	_ = m.List(ctx, &list)
	for i := range list.Items {
		if !isOf(&list.Items[i], m.class) {
			return all // ok: what was collected
		}
		if backend(&list.Items[i]) == o.GetName() {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return all
}

// allOrNone waits until all of those that have to do with the object are ready.
func (m *mapper) allOrNone(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	_ = m.List(ctx, &list)
	var all []reconcile.Request
	for i := range list.Items {
		ing := &list.Items[i]
		if backend(ing) != o.GetName() {
			continue
		}
		if len(ing.Status.LoadBalancer.Ingress) == 0 {
			return nil // ok: one of them
		}
		all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ing)})
	}
	return all
}

// excluded is for services that no ingress reserves.
func (m *mapper) excluded(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	_ = m.List(ctx, &list)
	var all []reconcile.Request
	for i := range list.Items {
		ing := &list.Items[i]
		if ing.Annotations["example.com/reserves"] == o.GetName() {
			return nil // ok: about the object
		}
		if backend(ing) == o.GetName() {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ing)})
		}
	}
	return all
}

// failing gives up with the API server.
func (m *mapper) failing(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	_ = m.List(ctx, &list)
	var all []reconcile.Request
	for i := range list.Items {
		ing := &list.Items[i]
		var secret corev1.Secret
		if err := m.Get(ctx, client.ObjectKeyFromObject(ing), &secret); err != nil && !apierrors.IsNotFound(err) {
			return nil // ok: an error
		}
		if backend(ing) == o.GetName() {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ing)})
		}
	}
	return all
}

// selecting gives up where a selector selects nothing, by which it asks.
func (m *mapper) selecting(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.NetworkPolicyList
	_ = m.List(ctx, &list)
	var all []reconcile.Request
	for i := range list.Items {
		policy := &list.Items[i]
		selector, err := metav1.LabelSelectorAsSelector(&policy.Spec.PodSelector)
		if err != nil {
			return nil // ok: an error
		}
		if selector.Empty() {
			return nil // ok: it belongs to the question
		}
		if selector.Matches(labels.Set(o.GetLabels())) {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(policy)})
		}
	}
	return all
}

// selectingOther gives up because of another selector than the one by which it asks.
func (m *mapper) selectingOther(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.NetworkPolicyList
	_ = m.List(ctx, &list)
	var all []reconcile.Request
	for i := range list.Items {
		policy := &list.Items[i]
		if labels.SelectorFromSet(policy.Labels).Empty() {
			return nil // want siblings "(*mapper).selectingOther returns no request because of one *v1.NetworkPolicy of which it has not asked yet whether it has to do with the object: what was collected of others is lost, and those behind it are not looked at" @184 "requests are collected here"
		}
		if labels.SelectorFromSet(policy.Spec.PodSelector.MatchLabels).Matches(labels.Set(o.GetLabels())) {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(policy)})
		}
	}
	return all
}

// owned goes through what the object has itself.
func (m *mapper) owned(_ context.Context, o client.Object) []reconcile.Request {
	var all []reconcile.Request
	for _, ref := range o.GetOwnerReferences() {
		if ref.Kind == "Job" {
			return nil // ok: the objects of jobs are none of its business
		}
		if ref.Kind == "Ingress" && o.GetNamespace() != "" {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKey{Namespace: o.GetNamespace(), Name: ref.Name}})
		}
	}
	return all
}

// each is for all of a class, or none.
func (m *mapper) each(ctx context.Context, o client.Object) []reconcile.Request {
	var list networkingv1.IngressList
	_ = m.List(ctx, &list, client.InNamespace(o.GetNamespace()))
	var all []reconcile.Request
	for i := range list.Items {
		if !isOf(&list.Items[i], m.class) {
			return nil // ok: it takes them all
		}
		all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
	}
	return all
}

func isOf(ing *networkingv1.Ingress, class string) bool {
	return ing.Spec.IngressClassName != nil && *ing.Spec.IngressClassName == class
}

func backend(ing *networkingv1.Ingress) string {
	if ing.Spec.DefaultBackend == nil || ing.Spec.DefaultBackend.Service == nil {
		return ""
	}
	return ing.Spec.DefaultBackend.Service.Name
}

var _ = []any{(*mapper).ofOneClass, ofClass, (*mapper).skipping, (*mapper).untilTheFirst, (*mapper).allOrNone, (*mapper).excluded, (*mapper).failing, (*mapper).owned, (*mapper).each, (*mapper).selecting, (*mapper).selectingOther}
