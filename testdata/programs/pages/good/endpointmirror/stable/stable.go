// Package stable brings endpoints into an order.
package stable

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Addresses are the addresses of all endpoints that serve, sorted. The slice
// that it is given stays as it is.
func Addresses(endpoints []discoveryv1.Endpoint) []string {
	sorted := append([]discoveryv1.Endpoint(nil), endpoints...)
	slices.SortFunc(sorted, func(a, b discoveryv1.Endpoint) int {
		return cmp.Compare(first(a), first(b))
	})
	var out []string
	for i := range sorted {
		ep := &sorted[i]
		if ep.Conditions.Ready == nil {
			yes := true
			ep.Conditions.Ready = &yes
		}
		if *ep.Conditions.Ready {
			out = append(out, ep.Addresses...)
		}
	}
	return out
}

func first(ep discoveryv1.Endpoint) string {
	if len(ep.Addresses) == 0 {
		return ""
	}
	return ep.Addresses[0]
}
