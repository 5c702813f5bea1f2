package example

// A Controller reads pods from a lister, and writes them with a client of controller-runtime.
type Controller struct {
	client.Client
	podLister listers.PodLister
}
