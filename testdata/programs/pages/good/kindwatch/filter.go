package kindwatch

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

var labelled = predicate.NewPredicateFuncs(func(o client.Object) bool {
	return o.GetLabels()["watch.acme.io/kinds"] == "true"
})
