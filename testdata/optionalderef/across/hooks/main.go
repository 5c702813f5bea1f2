// Command hooks checks what the controller follows.
package main

import "example.com/operators/optionalderef/across/api"

func main() { _ = valid(&api.Web{}) }

func valid(web *api.Web) bool { return web.Spec.Split != nil }
