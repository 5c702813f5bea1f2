// Package defaults fills in what users leave out.
package defaults

import (
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/utils/ptr"
)

// Options are the defaults of one installation.
type Options struct {
	Class       string
	Annotations map[string]string
}

// Ingress fills in the class, the path types and the annotations.
func Ingress(ing *networkingv1.Ingress, o Options) *networkingv1.Ingress {
	if ing.Spec.IngressClassName == nil {
		ing.Spec.IngressClassName = ptr.To(o.Class)
	}
	for i := range ing.Spec.Rules {
		http(ing.Spec.Rules[i].HTTP)
	}
	if len(o.Annotations) > 0 && ing.Annotations == nil {
		ing.Annotations = make(map[string]string, len(o.Annotations))
	}
	for k, v := range o.Annotations {
		if _, ok := ing.Annotations[k]; !ok {
			ing.Annotations[k] = v
		}
	}
	return ing
}

func http(rule *networkingv1.HTTPIngressRuleValue) {
	if rule == nil {
		return
	}
	for i := range rule.Paths {
		if rule.Paths[i].PathType == nil {
			rule.Paths[i].PathType = ptr.To(networkingv1.PathTypePrefix)
		}
	}
}
