package blocking

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// startsMember are the methods that start a goroutine in a group.
var startsMember = map[kubeapi.Symbol]bool{
	{Pkg: "sync", Recv: "WaitGroup", Name: "Go"}:                      true,
	{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Go"}:    true,
	{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "TryGo"}: true,
}

// StartsMember reports whether fn runs its last argument as a goroutine of a group.
func StartsMember(fn *types.Func) bool {
	return startsMember[kubeapi.SymbolOf(fn)] || kubeapi.StartsMember(fn)
}
