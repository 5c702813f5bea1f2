package example

// A Controller reads nodes from a lister.
type Controller struct {
	nodeLister listers.NodeLister
	client     kubernetes.Interface
}
