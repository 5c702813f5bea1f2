package example

type resolver struct {
	found map[string]*unstructured.Unstructured
}

func (r *resolver) fetch(name string) *unstructured.Unstructured { return r.found[name] }
