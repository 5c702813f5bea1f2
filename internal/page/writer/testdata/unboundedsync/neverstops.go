package example

type clusters struct{ client kubernetes.Interface }

func (s *clusters) write(w http.ResponseWriter, lister listers.PodLister) {}
