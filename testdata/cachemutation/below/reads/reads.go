// Package reads asks a lister for the limits of a namespace.
package reads

import corelisters "k8s.io/client-go/listers/core/v1"

// Number is how many limits there are.
func Number(lister corelisters.LimitRangeLister, ns, name string) (int, error) {
	limits, err := lister.LimitRanges(ns).Get(name)
	if err != nil {
		return 0, err
	}
	return len(limits.Spec.Limits), nil
}
