// Command valve puts values into a valve and a tap: it shows how they are used, and they hang without it as well.
package main

import "example.com/operators/lockheld/linked/valve"

func main() {
	v, t := valve.New(), valve.NewTap()
	defer t.Stop()
	for i := range 3 {
		v.Put(i)
		t.Put(i)
	}
}
