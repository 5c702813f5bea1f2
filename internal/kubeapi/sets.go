package kubeapi

// ListsSet reports whether a method or function of that name makes a slice of a set, as of apimachinery's package sets.
func ListsSet(name string) bool {
	switch name {
	case "List", "UnsortedList", "SortedList", "ToSlice", "Collect", "Sorted":
		return true
	}
	return false
}

// ChangesSet reports whether a method or builtin function of that name adds to a set, or takes something out.
func ChangesSet(name string) (grows, shrinks bool) {
	switch name {
	case "Insert", "Add", "Union":
		return true, false
	case "delete", "Delete", "Remove", "Difference":
		return false, true
	}
	return false, false
}
