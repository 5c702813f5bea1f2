package flagsource

import (
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

type informer = cache.Informer

// nonBlocking gives the informer before it has synced.
var nonBlocking = cache.BlockUntilSynced(false)
