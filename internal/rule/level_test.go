package rule_test

import (
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

func TestParseSites(t *testing.T) {
	const line = "one-site\tlockheld/leak lockheld/relock\tnursery\tseed\t1/2/3\t\t4\t3"
	rows, err := rule.ParseSites(rule.SiteColumns + "\n" + line + "\n")
	if err != nil || len(rows) != 1 || rows[0].Level != rule.Nursery || len(rows[0].Checks) != 2 || rows[0].Fixes != 4 || rows[0].Repos != 3 {
		t.Fatalf("got %+v, %v", rows, err)
	}
	if got := rows[0].String(); got != line {
		t.Errorf("got %q, want %q", got, line)
	}
	for text, want := range map[string]string{
		line: "line 1: want the header",
		rule.SiteColumns + "\n" + strings.Replace(line, "nursery", "garden", 1): `line 2: unknown level "garden"`,
		rule.SiteColumns + "\n" + line + "\tmore":                               "line 2: 9 fields",
		rule.SiteColumns + "\n" + strings.Replace(line, "\t4", "\tfour", 1):     "line 2: fixes and projects",
	} {
		if _, err := rule.ParseSites(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
}

// A finding of the nursery is reported only where that is asked for; what no table has is reported.
func TestLevels(t *testing.T) {
	if got := rule.LevelOf("second-lock"); got != rule.Default {
		t.Errorf("second-lock is %v", got)
	}
	if got := rule.CheckLevel("lockheld/blocking"); got != rule.Default {
		t.Errorf("lockheld/blocking is %v: it has sites that are on", got)
	}
	if got := rule.CheckLevel("lockheld/slow"); got != rule.OptIn {
		t.Errorf("lockheld/slow is %v", got)
	}
	old := rule.Active
	t.Cleanup(func() { rule.Active = old })
	for _, test := range []struct {
		site    rule.Site
		nursery bool
		want    int
	}{{"full-buffer", false, 0}, {"full-buffer", true, 1}, {"second-lock", false, 1}, {"no-such-site", false, 1}} {
		rule.Active = rule.Settings{Nursery: test.nursery}
		n := 0
		pass := &analysis.Pass{Analyzer: &analysis.Analyzer{Name: "x"}, Report: func(analysis.Diagnostic) { n++ }}
		rule.Report(pass, rule.Finding{Pos: token.Pos(1), Sub: "y", Site: test.site, Message: "m", Elsewhere: true})
		if n != test.want {
			t.Errorf("%s, nursery %v: reported %d times, want %d", test.site, test.nursery, n, test.want)
		}
	}
}
