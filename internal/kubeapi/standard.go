package kubeapi

import (
	"slices"
	"strings"
)

// standard are the directories in which the packages of the standard library lie. A module may have a path without a
// domain as well.
var standard = strings.Fields(`archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash
	html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing
	text time unicode unique unsafe vendor weak`)

// IsStandard reports whether the package at path p is of the standard library.
func IsStandard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(standard, first)
}
