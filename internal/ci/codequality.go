package ci

import (
	"encoding/json"
	"io"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
)

// issue is what GitLab takes of the Code Climate specification:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type issue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// CodeQuality writes an array with an object for each finding. The fingerprints are those of SARIF: GitLab compares
// them with those of the target branch, and takes for new what has another one. What could not be analysed has no
// part in it.
func CodeQuality(w io.Writer, r Run) error {
	issues := []issue{}
	prints := make(baseline.Fingerprints)
	for _, f := range r.named() {
		i := issue{Description: f.Message + f.InBuilds(), CheckName: f.Category, Fingerprint: prints.Next(f), Severity: "minor"}
		if f.Level() == report.LevelError {
			i.Severity = "major"
		}
		i.Location.Path = f.File
		i.Location.Lines.Begin = max(f.Line, 1)
		issues = append(issues, i)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}
