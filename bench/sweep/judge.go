package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goversion "go/version"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// A judgement is a finding of lockheld, and what somebody made of it who read the code.
type judgement struct {
	verdict.Judgement
	Rule       string       `json:"rule"`
	Category   string       `json:"category"`
	File       string       `json:"file"`
	Line       int          `json:"line"`
	Message    string       `json:"message"`
	Confidence string       `json:"confidence"`
	Key        baseline.Key `json:"key"`
}

// header says what the judgements are about.
type header struct {
	Go string `json:"go"` // the version whose standard library was read: in another one, lines and code are others
}

// readJudgements reads a file of judgements: its header, and one finding a line. It is an error where a finding was not
// judged.
func readJudgements(data []byte) (h header, known []judgement, err error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(first, &h); err != nil || h.Go == "" {
		return h, nil, errors.Join(errors.New("the first line does not say which Go was read"), err)
	}
	for line := range bytes.Lines(rest) {
		var j judgement
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&j); err != nil {
			return h, nil, err
		}
		known = append(known, j)
	}
	return h, known, nil
}

// unjudged are errors for the findings that nobody has judged.
func unjudged(known []judgement) error {
	var errs []error
	for _, j := range known {
		if err := j.Check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: %s", j.at(), err, j.Message))
		}
	}
	return errors.Join(errs...)
}

func (j judgement) at() string { return fmt.Sprintf("%s:%d", j.File, j.Line) }

// found is what lockheld found among findings, in their order.
func found(findings []report.Finding) []judgement {
	var out []judgement
	for _, f := range findings {
		if f.Rule == "lockheld" {
			out = append(out, judgement{
				Rule: f.Rule, Category: f.Category, File: f.File, Line: f.Line, Message: f.Message, Confidence: f.Confidence, Key: baseline.KeyOf(f),
			})
		}
	}
	return out
}

// same reports whether j and k are one finding of the same code.
func (j judgement) same(k judgement) bool {
	return k.File == j.File && k.Line == j.Line && k.Category == j.Category && k.Message == j.Message && k.Confidence == j.Confidence
}

// alike reports whether j and k are one finding of code whose lines may have moved.
func (j judgement) alike(k judgement) bool { return k.Key == j.Key && k.Confidence == j.Confidence }

// compare gives now with the verdicts of known, and says what is new, and what is gone.
func compare(known, now []judgement, same func(j, k judgement) bool) (merged []judgement, differences []string) {
	left := slices.Clone(known)
	for _, j := range now {
		i := slices.IndexFunc(left, func(k judgement) bool { return same(j, k) })
		if i < 0 {
			differences = append(differences, fmt.Sprintf("new: %s: %s (%s)", j.at(), j.Message, j.Category))
		} else {
			j.Judgement = left[i].Judgement
			left = slices.Delete(left, i, i+1)
		}
		merged = append(merged, j)
	}
	for _, k := range left {
		differences = append(differences, fmt.Sprintf("gone: %s: %s (%s)", k.at(), k.Message, k.Category))
	}
	return merged, differences
}

// judge holds what lockheld found against the judgements in the file named so, in the folder of this command. With update,
// the file gets what was found now.
func (s *swept) judge(ctx context.Context, w io.Writer, file string, update bool) error {
	out, err := gocommand.Run(ctx, "", nil, "list", "-f", "{{.Dir}}", "github.com/ctrllint/ctrllint/bench/sweep")
	if err != nil {
		return err
	}
	name := filepath.Join(strings.TrimSpace(string(out)), file)
	out, err = gocommand.Run(ctx, "", nil, "env", "GOVERSION")
	if err != nil {
		return err
	}
	version := strings.TrimSpace(string(out))
	data, err := os.ReadFile(name)
	if err != nil && !(update && errors.Is(err, os.ErrNotExist)) {
		return err
	}
	var h header
	var known []judgement
	if err == nil {
		if h, known, err = readJudgements(data); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if update {
		merged, _ := compare(known, found(s.Findings), judgement.same)
		return write(name, header{version}, merged)
	}
	if err := unjudged(known); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	same := judgement.same
	switch {
	case goversion.Lang(h.Go) != goversion.Lang(version):
		fmt.Fprintf(w, "\tnot compared with %s, which is about %s: this is %s\n", file, h.Go, version)
		return nil
	case h.Go != version: // a release that fixes bugs: lines move, and hardly anything else
		same = judgement.alike
	}
	_, differences := compare(known, found(s.Findings), same)
	if differences != nil {
		return fmt.Errorf("%s differs:\n\t%s", file, strings.Join(differences, "\n\t"))
	}
	byVerdict := map[string]int{}
	for _, j := range known {
		byVerdict[j.Verdict]++
	}
	fmt.Fprintf(w, "\tas judged in %s:", file)
	for _, v := range verdict.All {
		fmt.Fprintf(w, " %d %s", byVerdict[v], v)
	}
	fmt.Fprintln(w)
	return nil
}

func write(name string, h header, js []judgement) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(h); err != nil {
		return err
	}
	for _, j := range js {
		if err := e.Encode(j); err != nil {
			return err
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
