package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
)

// The outcomes of a run at a commit.
const (
	hit    = "hit"    // before the fix: a finding of the row's rules at the bug
	miss   = "miss"   // before the fix: none
	quiet  = "quiet"  // after the fix: what was found is gone
	again  = "again"  // after the fix: it is still found
	broken = "broken" // the package cannot be analysed there
	none   = ""       // nothing was found before, so that there is nothing to look for
)

// A Row is a real bug, with what ctrllint makes of it.
type Row struct {
	ID        string   `json:"id"`
	Rules     []string `json:"rules"` // of which a finding counts
	Repo      string   `json:"repo"`  // owner/name
	Before    string   `json:"before"`
	After     string   `json:"after"`
	Module    string   `json:"module,omitempty"` // folder of the go.mod, where it is not the nearest one above the package
	Path      string   `json:"path,omitempty"`   // import path of a tree from before go.mod, which has all in its folder vendor
	Package   string   `json:"package"`          // folder
	Tests     bool     `json:"tests,omitempty"`  // the bug is in a test
	File      string   `json:"file"`
	Functions []string `json:"functions"`      // without receivers
	Line      int      `json:"line,omitempty"` // 0 where the function alone decides

	Want  Outcome  `json:"want"`
	Found []string `json:"found,omitempty"` // the sub-rules of the findings that count, before the fix
	Note  string   `json:"note,omitempty"`  // why it is missed, broken or found again
}

// An Outcome is what runs before and after the fix gave.
type Outcome struct {
	Before string `json:"before"`
	After  string `json:"after,omitempty"`
}

// check is an error where r cannot be run, or somebody has still to say why it is as it is.
func (r *Row) check() error {
	switch {
	case r.ID == "" || len(r.Rules) == 0 || !strings.Contains(r.Repo, "/") || r.Before == "" || r.Package == "" || r.File == "":
		return fmt.Errorf("row %q lacks an id, rules, a repository, a commit, a package or a file", r.ID)
	case r.Line == 0 && len(r.Functions) == 0:
		return fmt.Errorf("row %s has neither a line nor a function", r.ID)
	case r.Note == "" && (r.Want.Before == miss || r.Want.Before == broken || r.Want.After == again || r.Want.After == broken):
		return fmt.Errorf("row %s is %s before and %q after its fix, and has no note that says why", r.ID, r.Want.Before, r.Want.After)
	}
	return nil
}

// rowFiles are the files of rows in the folder data. That there are none is an error.
func rowFiles(data string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(data, "*.jsonl"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no files of rows in %s", data)
	}
	return files, err
}

// readRows reads a file with a row on each line.
func readRows(name string) ([]*Row, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rows []*Row
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		r := new(Row)
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if slices.ContainsFunc(rows, func(o *Row) bool { return o.ID == r.ID }) {
			return nil, fmt.Errorf("%s:%d: a second row %s", name, n, r.ID)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// writeRows is the inverse of readRows.
func writeRows(name string, rows []*Row) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return atomicfile.Write(name, out.Bytes())
}
