// Command cmd is the program that the reconcilers and workers belong to.
package main

import (
	"net/http"

	"example.com/operators/unboundedsync/outside"
	"example.com/operators/unboundedsync/outside/fetch"
)

func main() {
	source, err := fetch.NewSource()
	if err != nil {
		panic(err)
	}
	r := outside.NewReconciler(http.DefaultClient, func(*http.Client) {})
	r.Sources = source
	outside.Aside("http://localhost")
	_ = fetch.Unused{}
}
