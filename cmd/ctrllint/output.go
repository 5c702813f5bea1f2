package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/ci"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/htmlreport"
	"github.com/ctrllint/ctrllint/internal/progress"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/sarif"
	"github.com/ctrllint/ctrllint/internal/source"
)

// printFindings writes the findings of r in one of config.Formats, with warnings if the format has a place for them.
// Names of files are relative to dir.
func printFindings(w io.Writer, format, dir string, rules []*analysis.Analyzer, r driver.Result, warnings []string) error {
	files := &source.Files{Dir: dir}
	switch format {
	case "text":
		return report.Text(w, r.Findings, report.Style{Source: files, Color: isTerminal(w) && os.Getenv("NO_COLOR") == ""})
	case "json":
		return report.JSON(w, r.Findings)
	case "html":
		return htmlreport.Write(w, htmlreport.Run{
			Version: moduleVersion(), Rules: rules, Findings: r.Findings, Failures: texts(r.Failures), Warnings: warnings,
			Packages: r.Packages(), Source: files,
		})
	}
	root, err := source.Root(dir)
	if err != nil {
		return err
	}
	inRepository := func(file string) string {
		if name, ok := files.Below(root, file); ok {
			return name
		}
		return file
	}
	forCI := ci.Run{Findings: r.Findings, Failures: texts(r.Failures), InRepository: inRepository}
	for _, a := range rules {
		forCI.Rules = append(forCI.Rules, a.Name)
	}
	switch format {
	case "github":
		return report.GitHub(w, r.Findings, inRepository)
	case "junit":
		return ci.JUnit(w, forCI)
	case "checkstyle":
		return ci.Checkstyle(w, forCI)
	case "codequality":
		return ci.CodeQuality(w, forCI)
	}
	// SARIF distinguishes suppressed findings.
	all := report.Sort(slices.Concat(r.Findings, r.Suppressed))
	return sarif.Write(w, sarif.Run{
		Version: moduleVersion(), Rules: rules, Findings: all,
		Failures: texts(r.Failures), Warnings: warnings, Source: files, Root: root,
	})
}

func texts(failures []driver.Failure) []string {
	var out []string
	for _, f := range failures {
		out = append(out, f.String())
	}
	return out
}

// unknownFormat says which ones there are.
func (s *settings) unknownFormat() string {
	last := len(s.formats) - 1
	return fmt.Sprintf("unknown format %q: %s or %s (see ctrllint help)", s.format, strings.Join(s.formats[:last], ", "), s.formats[last])
}

// isTerminal reports whether w is a terminal with control sequences.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// patience is the time after which progress is shown, at a terminal and in a log.
const (
	patience    = 2 * time.Second
	logPatience = 15 * time.Second
)

// showProgress writes progress to stderr if the run takes long.
func showProgress(stderr io.Writer, quiet bool) *progress.Line {
	switch {
	case quiet:
		return nil
	case isTerminal(stderr):
		return progress.Start(stderr, patience, time.Second)
	}
	return progress.Log(stderr, logPatience, logPatience)
}
