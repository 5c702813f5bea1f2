package kubeapi

import "go/types"

// A KeyRead is the value under a key that a function reads of the annotations of an argument, or of a map.
type KeyRead struct {
	Param, KeyParam int    // the argument, and that with the key, less than 0 for a constant one
	Key             string // the constant
	Table           bool   // the argument is the map itself
}

const capiAnnotations, paused = "sigs.k8s.io/cluster-api/util/annotations", "cluster.x-k8s.io/paused"

// keyReads are functions of libraries that read annotations of their arguments.
var keyReads = map[Symbol]KeyRead{
	{Pkg: capiAnnotations, Name: "IsPaused"}:                                   {Param: 1, KeyParam: -1, Key: paused},
	{Pkg: capiAnnotations, Name: "HasPaused"}:                                  {KeyParam: -1, Key: paused},
	{Pkg: MetaV1, Name: "HasAnnotation"}:                                       {KeyParam: 1},
	{Pkg: "github.com/fluxcd/pkg/apis/meta", Name: "ReconcileAnnotationValue"}: {KeyParam: -1, Key: "reconcile.fluxcd.io/requestedAt", Table: true},
	{Pkg: labelsPackage, Recv: "Set", Name: "Get"}:                             {KeyParam: 1, Table: true},
	{Pkg: labelsPackage, Recv: "Set", Name: "Has"}:                             {KeyParam: 1, Table: true},
}

// KeyReadOf returns what fn, of a library, reads under a key.
func KeyReadOf(fn *types.Func) (KeyRead, bool) {
	read, ok := keyReads[SymbolOf(fn)]
	return read, ok
}
