// Package slashes has filters that compare strings of which one has a slash.
package slashes

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// ofOurs compares a group with a group and its version.
func ofOurs(o client.Object) bool {
	class := o.(*networkingv1.IngressClass)
	return class.Spec.Parameters != nil && class.Spec.Parameters.APIGroup != nil &&
		*class.Spec.Parameters.APIGroup == appsv1.SchemeGroupVersion.String() // want constant "ofOurs compares what always has a slash with what never has one, so that the comparison has the same answer for all objects"
}

// ofGroup compares two groups.
func ofGroup(o client.Object) bool {
	class := o.(*networkingv1.IngressClass)
	return class.Spec.Parameters != nil && class.Spec.Parameters.APIGroup != nil &&
		*class.Spec.Parameters.APIGroup == appsv1.GroupName // ok: both are groups
}

// named compares a name with a namespaced name.
func named(key types.NamespacedName) predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetName() == key.String() // want constant "this filter compares what always has a slash with what never has one, so that the comparison has the same answer for all objects"
	})
}

// sameKey compares two namespaced names.
func sameKey(key types.NamespacedName) predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return client.ObjectKeyFromObject(o).String() == key.String() // ok: both have one
	})
}

// sameName compares two names.
func sameName(key types.NamespacedName) predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetName() == key.Name && o.GetNamespace() == key.Namespace // ok: neither has one
	})
}

// ofCore compares a group with a version of the core, whose group is empty.
func ofCore(o client.Object) bool {
	binding := o.(*rbacv1.RoleBinding)
	return binding.RoleRef.APIGroup == corev1.SchemeGroupVersion.String() // ok: it has no slash
}

// ofVersion asks for what may have one.
func ofVersion(o client.Object) bool {
	for _, owner := range o.GetOwnerReferences() {
		if owner.APIVersion == appsv1.SchemeGroupVersion.String() { // ok: it is the version with its group
			return true
		}
	}
	return false
}

// constantName is asked for a constant, which is what is left of a choice.
func constantName(o client.Object) bool { return o.GetName() == "all/of/them" } // ok: the constant says so
