package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// listName is the name of the file that says which modules there are.
const listName = "modules.json"

// A Module is one whose findings are kept: a published one, or one at a commit of a mirror.
type Module struct {
	Name     string   `json:"name"` // of its file of findings, without .jsonl
	Path     string   `json:"path"`
	Version  string   `json:"version"`          // or the whole hash of the commit
	Repo     string   `json:"repo,omitempty"`   // owner/name of the mirror
	Folder   string   `json:"folder,omitempty"` // where its go.mod is in the repository, unless at the root
	Patterns []string `json:"patterns"`         // what is analysed of it, as the go command takes it

	// Published is the version of the modules for which go.mod names folders, which a published module lacks.
	Published string `json:"published,omitempty"`

	// Refused are modules that its packages need and that the module proxy does not give. What needs them is not analysed.
	Refused []string `json:"refused,omitempty"`

	Short bool   `json:"short,omitempty"` // whether it belongs to the selection of -short
	Note  string `json:"note,omitempty"`  // why only some of it is analysed, or what else a reader should know
}

// fileName is the name of the file of findings in the folder dir.
func (m *Module) fileName(dir string) string { return filepath.Join(dir, m.Name+".jsonl") }

// what is the name of the module in tables: of a mirror that of the repository, with the folder of the module in it.
func (m *Module) what() string {
	if m.Repo == "" {
		return m.Path
	}
	return strings.TrimSuffix(m.Repo+"/"+m.Folder, "/")
}

// readModules reads the list in the folder dir. A field that nobody knows is an error, and so are two modules with one
// name and an entry that says too little.
func readModules(dir string) ([]*Module, error) {
	name := filepath.Join(dir, listName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var modules []*Module
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&modules); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	seen := make(map[string]bool)
	for _, m := range modules {
		switch {
		case !plain.MatchString(m.Name):
			err = errors.New("want a name of small letters, digits and hyphens")
		case seen[m.Name]:
			err = errors.New("the name is another module's already")
		case m.Path == "" || m.Version == "" || len(m.Patterns) == 0:
			err = errors.New("want a path, a version and patterns")
		case m.Repo != "" && (m.Published != "" || !commit.MatchString(m.Version) || !filepath.IsLocal(filepath.Join(m.Folder, "x"))):
			err = errors.New("want the hash of a commit, and a folder of the repository")
		case m.Repo == "" && m.Folder != "":
			err = errors.New("want the repository of the folder")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: module %q: %w", name, m.Name, err)
		}
		seen[m.Name] = true
	}
	return modules, nil
}

// What a name looks like, so that it is a file's name everywhere, and a commit.
var (
	plain  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	commit = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// choose gives the modules whose names are in the list only, separated by commas, or all where that is empty; with short,
// those of the bounded selection. A name that no module has is an error.
func choose(modules []*Module, only string, short bool) ([]*Module, error) {
	chosen := slices.Clone(modules)
	if only != "" {
		names := strings.Split(only, ",")
		for _, n := range names {
			if !slices.ContainsFunc(modules, func(m *Module) bool { return m.Name == n }) {
				return nil, fmt.Errorf("%s names no module %q", listName, n)
			}
		}
		chosen = slices.DeleteFunc(chosen, func(m *Module) bool { return !slices.Contains(names, m.Name) })
	}
	if short {
		chosen = slices.DeleteFunc(chosen, func(m *Module) bool { return !m.Short })
	}
	if len(chosen) == 0 {
		return nil, errors.New("no module is chosen")
	}
	return chosen, nil
}

// strays are the files of findings in dir that no module has, since nothing would ever compare them.
func strays(dir string, modules []*Module) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(modules, func(m *Module) bool { return m.fileName(dir) == name })
	}), nil
}
