package report_test

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/report"
)

// Every form says in which builds of several a finding is.
func TestBuilds(t *testing.T) {
	f := at(4, 12, 4, 12)
	f.Builds = []string{"linux/amd64", "tags=e2e"}
	for name, test := range map[string]struct {
		write func(b *strings.Builder) error
		want  string
	}{
		"text":   {func(b *strings.Builder) error { return report.Text(b, []report.Finding{f}, report.Style{}) }, "m (lockheld/relock) [linux/amd64, tags=e2e]\n"},
		"json":   {func(b *strings.Builder) error { return report.JSON(b, []report.Finding{f}) }, `"builds":["linux/amd64","tags=e2e"]`},
		"github": {func(b *strings.Builder) error { return report.GitHub(b, []report.Finding{f}, strings.ToLower) }, "::m [linux/amd64, tags=e2e]"},
	} {
		var b strings.Builder
		if err := test.write(&b); err != nil || !strings.Contains(b.String(), test.want) {
			t.Errorf("%s: got %q, %v, want %q", name, b.String(), err, test.want)
		}
	}
}
