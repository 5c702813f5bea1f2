// Command cmd runs the code.
package main

import (
	"example.com/operators/apimarkers/enum/use"
	v1 "example.com/operators/apimarkers/enum/v1"
)

func main() {
	var g v1.Garden
	use.Write(&g)
	println(use.Handle(&g), g.IsB())
}
