package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctrllint/ctrllint/internal/verdict"
)

// A Finding is what ctrllint said of an operator when it saw it for the first time, and what two readers made of it.
type Finding struct {
	Repo     string `json:"repo"`             // owner/name
	Commit   string `json:"commit"`           // the head of that day
	Module   string `json:"module,omitempty"` // the folder of the go.mod, where it is not the root
	File     string `json:"file"`             // relative to the module
	Line     int    `json:"line"`
	Category string `json:"category"` // rule/sub-rule
	Message  string `json:"message"`

	First  string `json:"first"`
	Second string `json:"second"`
	Reason string `json:"reason"` // of the verdict that counts

	Gone bool `json:"gone,omitempty"` // it was not found any more when all of them were run again
}

// counts is the lower verdict of the two.
func (f *Finding) counts() string {
	return verdict.Lower(f.First, f.Second)
}

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// check is an error where f cannot be found again, or a reader has not judged it.
func (f *Finding) check() error {
	switch {
	case !strings.Contains(f.Repo, "/") || !commit.MatchString(f.Commit) || f.File == "" || f.Line == 0 || f.Message == "":
		return fmt.Errorf("a finding in %q lacks its repository, commit, place or message", f.File)
	case !strings.Contains(f.Category, "/"):
		return fmt.Errorf("%q is no sub-rule", f.Category)
	case f.counts() == verdict.Unjudged || f.Reason == "":
		return fmt.Errorf("%s:%d lacks a verdict or a reason", f.File, f.Line)
	}
	return nil
}

// A measure is what was found in one of them.
type measure struct {
	name     string // of the file, without its ending
	findings []*Finding
}

// readAll reads the measures in the folder data, in the order of their names. That there are none is an error.
func readAll(data string) ([]*measure, error) {
	files, err := filepath.Glob(filepath.Join(data, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no measures in %s", data)
	}
	var out []*measure
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		m := &measure{name: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			f := new(Finding)
			dec := json.NewDecoder(strings.NewReader(line))
			dec.DisallowUnknownFields()
			if err := dec.Decode(f); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			if err := f.check(); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			m.findings = append(m.findings, f)
		}
		out = append(out, m)
	}
	return out, nil
}

// writeAll writes the measures that readAll has read in the folder data.
func writeAll(data string, measures []*measure) error {
	for _, m := range measures {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		for _, f := range m.findings {
			if err := enc.Encode(f); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(data, m.name+".jsonl"), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
