package example

// A Controller reads pods from a lister.
type Controller struct {
	podLister listers.PodLister
}
