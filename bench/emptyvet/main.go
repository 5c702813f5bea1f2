// Command emptyvet is a tool for go vet -vettool with no analyzer: what go vet costs with it is what any tool costs that
// wants to see every package.
package main

import "golang.org/x/tools/go/analysis/unitchecker"

func main() { unitchecker.Main() }
