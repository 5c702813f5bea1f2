package signature

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// A unit is a declaration that is kept or left out as a whole.
type unit struct {
	names []string // what it declares; of a method, nothing
	recv  string   // of a method, the type that it belongs to
	node  ast.Node // an *ast.FuncDecl, an ast.Spec, or the *ast.GenDecl of constants, which depend on their order

	uses []string // the words in it
}

// prune takes from the files of a package what no importing package can see: declarations that no exported one mentions,
// and imports that what is left does not need. It returns the import paths that are left. Words decide, not objects, so
// that more may stay than is needed; methods stay with their type, whatever their names.
//
// The name of an imported package, where the file does not give it one, is what nameOf says of its import path.
func prune(files []*ast.File, nameOf func(path string) string) []string {
	units := unitsOf(files)
	declared := make(map[string][]*unit)
	methods := make(map[string][]*unit)
	var work []*unit
	for _, u := range units {
		exported := false
		for _, name := range u.names {
			declared[name] = append(declared[name], u)
			exported = exported || ast.IsExported(name)
		}
		if u.recv != "" {
			methods[u.recv] = append(methods[u.recv], u)
		}
		if exported {
			work = append(work, u)
		}
	}
	// The methods of a type may name it by an alias.
	for alias, target := range aliasesOf(units) {
		methods[target] = append(methods[target], methods[alias]...)
	}
	kept := make(map[ast.Node]bool)
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		if kept[u.node] {
			continue
		}
		kept[u.node] = true
		u.uses = words(u.node)
		for _, name := range u.names {
			work = append(work, methods[name]...)
		}
		for _, name := range u.uses {
			work = append(work, declared[name]...)
		}
	}
	var paths []string
	for _, file := range files {
		paths = append(paths, keep(file, kept, nameOf)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func unitsOf(files []*ast.File) []*unit {
	var units []*unit
	for _, file := range files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				u := &unit{node: decl}
				if decl.Recv == nil {
					u.names = []string{decl.Name.Name}
				} else if len(decl.Recv.List) > 0 {
					u.recv = base(decl.Recv.List[0].Type)
				}
				units = append(units, u)
			case *ast.GenDecl:
				if decl.Tok == token.CONST {
					u := &unit{node: decl}
					for _, spec := range decl.Specs {
						u.add(spec)
					}
					units = append(units, u)
					continue
				}
				if decl.Tok == token.IMPORT {
					continue
				}
				for _, spec := range decl.Specs {
					u := &unit{node: spec}
					u.add(spec)
					units = append(units, u)
				}
			}
		}
	}
	return units
}

func (u *unit) add(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		u.names = append(u.names, spec.Name.Name)
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			u.names = append(u.names, name.Name)
		}
		if spec.Type != nil && len(spec.Values) > 0 && u.node == ast.Node(spec) {
			spec.Values = nil // the type is all that importing packages see of a variable
		}
	}
}

// aliasesOf returns for each alias the type at the end of its chain, by name.
func aliasesOf(units []*unit) map[string]string {
	next := make(map[string]string)
	for _, u := range units {
		if spec, ok := u.node.(*ast.TypeSpec); ok && spec.Assign.IsValid() {
			if target := base(spec.Type); target != "" {
				next[spec.Name.Name] = target
			}
		}
	}
	ends := make(map[string]string)
	for alias := range next {
		end := alias
		for range next { // longer only where aliases go round, which is no Go
			if next[end] == "" {
				break
			}
			end = next[end]
		}
		ends[alias] = end
	}
	return ends
}

// base returns the name of a receiver's base type.
func base(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		return base(x.X)
	case *ast.IndexExpr:
		return base(x.X)
	case *ast.IndexListExpr:
		return base(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// words returns the identifiers in n, but for those in function bodies.
func words(n ast.Node) []string {
	var out []string
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.Ident:
			out = append(out, n.Name)
		}
		return true
	})
	return out
}

// keep leaves in file the declarations that are kept and the imports that they mention, and returns their paths.
func keep(file *ast.File, kept map[ast.Node]bool, nameOf func(path string) string) []string {
	qualifiers := make(map[string]bool)
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if kept[decl] {
				selected(decl, qualifiers)
			}
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				continue
			}
			if !kept[decl] {
				decl.Specs = slices.DeleteFunc(decl.Specs, func(s ast.Spec) bool { return !kept[s] })
			}
			for _, s := range decl.Specs {
				selected(s, qualifiers)
			}
		}
	}
	var paths []string
	unused := func(s ast.Spec) bool {
		spec, ok := s.(*ast.ImportSpec)
		if !ok {
			return false
		}
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return true
		}
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		} else {
			name = nameOf(path)
		}
		if name != "." && !qualifiers[name] {
			return true
		}
		paths = append(paths, path)
		return false
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			return !kept[decl]
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				decl.Specs = slices.DeleteFunc(decl.Specs, unused)
			}
			return len(decl.Specs) == 0
		}
		return false
	})
	return paths
}

// selected adds to names what stands before a dot in n.
func selected(n ast.Node, names map[string]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
}
