package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
)

// ImaginaryFile is the name of the file of imaginary packages.
const ImaginaryFile = "imaginary.go"

// Imaginary returns an empty package that imports those of the given paths, of which no more than that is known.
func Imaginary(fset *token.FileSet, pkgPath, name string, imports []string) *Source {
	file, err := parser.ParseFile(fset, ImaginaryFile, "package "+name+"\n", 0)
	if err != nil {
		panic(err) // the text is ours
	}
	info := NewInfo()
	pkg, err := new(types.Config).Check(pkgPath, fset, []*ast.File{file}, info)
	if err != nil {
		panic(err)
	}
	for _, i := range imports {
		imported := types.NewPackage(i, path.Base(i))
		imported.MarkComplete()
		pkg.SetImports(append(pkg.Imports(), imported))
	}
	return &Source{Files: []*ast.File{file}, Types: pkg, Info: info}
}
