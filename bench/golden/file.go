package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/report"
)

// read reads the file that [Golden.write] made, or that a person has edited since. An error names the line.
func read(name string) (*Golden, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	g := new(Golden)
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		if err := g.add(n, []byte(text)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("%s:1: the file is empty", name)
	}
	g.sort()
	return g, nil
}

// add reads line n.
func (g *Golden) add(n int, text []byte) error {
	if n == 1 {
		if err := decode(text, &g.Header); err != nil || g.Tool != toolName || g.Kind != kind {
			return errors.New("not the head of a file of findings")
		}
		if g.Version != formVersion {
			return fmt.Errorf("a file of form %d, and this program knows form %d", g.Version, formVersion)
		}
		return nil
	}
	var r Remark
	if decode(text, &r) == nil {
		switch {
		case r.Failure != "" && r.Note == "":
			g.Failures = append(g.Failures, r.Failure)
			return nil
		case r.Note != "" && r.Failure == "":
			g.Notes = append(g.Notes, r.Note)
			return nil
		}
	}
	f := new(Finding)
	if err := decode(text, f); err != nil {
		return fmt.Errorf("no finding, failure or note: %w", err)
	}
	if f.Rule == "" || f.Category == "" || f.Message == "" || f.File == "" || f.Key.Package == "" {
		return errors.New("a finding without rule, category, message, file or package")
	}
	g.Findings = append(g.Findings, f)
	return nil
}

// decode reads one object, and nothing but what the form has.
func decode(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more than one object")
	}
	return nil
}

// write puts g into the file: a line each for what it is about, for the failures, the notes and the findings.
func (g *Golden) write(name string) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // people read it in reviews
	err := enc.Encode(g.Header)
	for _, f := range g.Failures {
		err = errors.Join(err, enc.Encode(Remark{Failure: f}))
	}
	for _, n := range g.Notes {
		err = errors.Join(err, enc.Encode(Remark{Note: n}))
	}
	for _, f := range g.Findings {
		line := *f
		if line.Related == nil {
			line.Related = []report.Related{}
		}
		err = errors.Join(err, enc.Encode(line))
	}
	if err != nil {
		return err
	}
	return atomicfile.Write(name, out.Bytes())
}
