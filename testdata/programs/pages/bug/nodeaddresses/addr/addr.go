// Package addr has helpers for the addresses of nodes.
package addr

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Canonical are the addresses in a fixed order, names in lower case.
func Canonical(addrs []corev1.NodeAddress) []corev1.NodeAddress {
	slices.SortStableFunc(addrs, func(a, b corev1.NodeAddress) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Address, b.Address))
	})
	for i := range addrs {
		if addrs[i].Type == corev1.NodeHostName || addrs[i].Type == corev1.NodeInternalDNS {
			addrs[i].Address = strings.ToLower(addrs[i].Address)
		}
	}
	return addrs
}

// Of is the first address of a type.
func Of(addrs []corev1.NodeAddress, t corev1.NodeAddressType) (string, bool) {
	for _, a := range addrs {
		if a.Type == t {
			return a.Address, true
		}
	}
	return "", false
}
