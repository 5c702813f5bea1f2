package operators

// The modules that the examples may use, so that `go mod tidy` keeps them.
import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/util/wait"
	_ "k8s.io/client-go/dynamic/dynamicinformer"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/tools/leaderelection"
	_ "sigs.k8s.io/controller-runtime"
)
