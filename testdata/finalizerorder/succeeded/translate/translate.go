// Package translate makes of an object another one, for another cluster.
package translate

import "sigs.k8s.io/controller-runtime/pkg/client"

// ToHost gives the object the name that it has in the other cluster.
func ToHost(obj client.Object) {
	obj.SetName(obj.GetNamespace() + "-" + obj.GetName())
	obj.SetNamespace("host")
	obj.SetFinalizers(nil)
}
