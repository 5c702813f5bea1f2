// Command cmd runs the controller.
package main

import (
	"example.com/operators/optionalderef/nearmiss/api"
	"example.com/operators/optionalderef/nearmiss/controller"
)

func main() { controller.Run(&api.Site{}) }
