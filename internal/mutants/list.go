package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed mutants.yaml
var listed []byte

// A Mutant is one change of the code that tests must notice.
type Mutant struct {
	Name    string   `yaml:"name"`    // "area/what"
	Breaks  string   `yaml:"breaks"`  // what is wrong then
	File    string   `yaml:"file"`    // below the module's root
	Find    string   `yaml:"find"`    // the text that is replaced; it is in File exactly once
	Replace string   `yaml:"replace"` // what takes its place
	Tests   []string `yaml:"tests"`   // the packages below the module's root whose tests must notice, in the order in which they are run
	Lives   string   `yaml:"lives"`   // why no test has to notice; empty for a mutant that must be killed
}

// Area returns the part of the name before the slash: the package or rule that the mutant is about.
func (m *Mutant) Area() string {
	area, _, _ := strings.Cut(m.Name, "/")
	return area
}

// Mutated returns the text of the mutant's file below root with the replacement made. It is an error where the text
// to be replaced is not there exactly once: then the code has changed, and the list must follow.
func (m *Mutant) Mutated(root string) ([]byte, error) {
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.File)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	if n := bytes.Count(src, []byte(m.Find)); n != 1 {
		return nil, fmt.Errorf("%s: %s has the text %d times, not once: %q", m.Name, m.File, n, m.Find)
	}
	return bytes.Replace(src, []byte(m.Find), []byte(m.Replace), 1), nil
}

// parseList reads a list of mutants. It is an error where a field is missing or unknown, or a name is there twice.
func parseList(data []byte) ([]*Mutant, error) {
	var list []*Mutant
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	var errs []error
	seen := map[string]bool{}
	for i, m := range list {
		area, what, _ := strings.Cut(m.Name, "/")
		switch {
		case area == "" || what == "":
			errs = append(errs, fmt.Errorf("mutant %d: %q is no name of the form area/what", i+1, m.Name))
		case seen[m.Name]:
			errs = append(errs, fmt.Errorf("%s: there are two of that name", m.Name))
		case m.Breaks == "" || m.File == "" || m.Find == "" || len(m.Tests) == 0:
			errs = append(errs, fmt.Errorf("%s: breaks, file, find and tests are needed", m.Name))
		case m.Find == m.Replace:
			errs = append(errs, fmt.Errorf("%s: the replacement changes nothing", m.Name))
		}
		seen[m.Name] = true
	}
	return list, errors.Join(errs...)
}

// choose returns the part of the list whose name is among only and whose area is among areas, both separated by
// commas. Empty ones choose all. What chooses nothing is an error.
func choose(list []*Mutant, only, areas string) ([]*Mutant, error) {
	match := func(words string, of func(*Mutant) string) error {
		if words == "" {
			return nil
		}
		var kept []*Mutant
		for word := range strings.SplitSeq(words, ",") {
			n := len(kept)
			for _, m := range list {
				if of(m) == strings.TrimSpace(word) {
					kept = append(kept, m)
				}
			}
			if len(kept) == n {
				return fmt.Errorf("no mutant is of %q", word)
			}
		}
		list = kept
		return nil
	}
	if err := match(areas, (*Mutant).Area); err != nil {
		return nil, err
	}
	if err := match(only, func(m *Mutant) string { return m.Name }); err != nil {
		return nil, err
	}
	return list, nil
}
