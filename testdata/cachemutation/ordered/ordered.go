// Package ordered has functions that sort what a cache has given out.
package ordered

import (
	"log"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
)

// hasFinalizer sorts only what should have been sorted, and says so.
func hasFinalizer(finalizers []string, name string) bool {
	if !sort.StringsAreSorted(finalizers) {
		log.Print("the finalizers are not sorted")
		sort.Strings(finalizers)
	}
	i := sort.SearchStrings(finalizers, name)
	return i < len(finalizers) && finalizers[i] == name
}

// hasArgument sorts whatever it is given.
func hasArgument(args []string, name string) bool {
	sort.Strings(args)
	i := sort.SearchStrings(args, name)
	return i < len(args) && args[i] == name
}

// hasCommand sorts one list where the other one is not sorted, and what is sorted.
func hasCommand(command, other []string) bool {
	if !sort.StringsAreSorted(other) {
		slices.Sort(command)
	}
	return len(command) > 0
}

// reversed sorts what is sorted.
func reversed(command []string) bool {
	if slices.IsSorted(command) {
		slices.SortFunc(command, func(a, b string) int { return len(a) - len(b) })
	}
	return len(command) > 0
}

// emptied asks for the order, and takes something out.
func emptied(command []string) bool {
	if !slices.IsSorted(command) {
		slices.Delete(command, 0, 1)
	}
	return len(command) > 0
}

func finalizers(lister listers.PodLister, ns, name string) bool {
	pod, err := lister.Pods(ns).Get(name)
	return err == nil && hasFinalizer(pod.Finalizers, "example.com/kept")
}

func arguments(lister listers.PodLister, ns, name string) bool {
	pod, err := lister.Pods(ns).Get(name)
	return err == nil && hasArgument(pod.Spec.Containers[0].Args, "--kept") // want write "hasArgument (ordered.go:25) sorts Args of the Pod returned by lister in place: all readers of the informer cache see the change; sort a copy" @60 "read from the cache here, without a copy" @25 "written here"
}

func commands(lister listers.PodLister, ns, name string) bool {
	pod, err := lister.Pods(ns).Get(name)
	return err == nil && hasCommand(pod.Spec.Containers[0].Command, pod.Finalizers) // want write "hasCommand (ordered.go:33) sorts Command of the Pod returned by lister in place: all readers of the informer cache see the change; sort a copy" @65 "read from the cache here, without a copy" @33 "written here"
}

func turned(lister listers.PodLister, ns, name string) bool {
	pod, err := lister.Pods(ns).Get(name)
	return err == nil && reversed(pod.Spec.Containers[0].Command) // want write "reversed (ordered.go:41) sorts Command of the Pod returned by lister in place: all readers of the informer cache see the change; sort a copy" @70 "read from the cache here, without a copy" @41 "written here"
}

func cut(lister listers.PodLister, ns, name string) bool {
	pod, err := lister.Pods(ns).Get(name)
	return err == nil && emptied(pod.Spec.Containers[0].Command) // want write "emptied (ordered.go:49) mutates the elements of Command of the Pod returned by lister: all readers of the informer cache see the change; pass a DeepCopy" @75 "read from the cache here, without a copy" @49 "written here"
}

// here sorts in place what is not sorted.
func here(lister listers.PodLister, ns, name string) (first *corev1.Container) {
	pod, err := lister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	containers := pod.Spec.Containers
	if sort.SliceIsSorted(containers, func(i, j int) bool { return containers[i].Name < containers[j].Name }) {
		return &containers[0]
	}
	log.Print("the containers are not sorted")
	sort.Slice(containers, func(i, j int) bool { return containers[i].Name < containers[j].Name })
	return &containers[0]
}
