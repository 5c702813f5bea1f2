package rule

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Level says whether the findings of a site are reported to those who did not ask for more.
type Level uint8

// The levels are those of Clippy, Rust's linter. A site begins in the nursery, and leaves it when its figures are good enough; what an opt-in site reports
// has to be asked for by an option of its rule, whatever its figures.
const (
	Default Level = iota + 1
	Nursery
	OptIn
)

// String is the word of the table and the outputs.
func (l Level) String() string {
	switch l {
	case Nursery:
		return "nursery"
	case OptIn:
		return "opt-in"
	}
	return "default"
}

// A SiteRow is what the table says of a site.
type SiteRow struct {
	Site   Site
	Checks []string // whose findings it words, as RULE/CHECK
	Level  Level
	Ground string // why the level is not what the figures say: seed, comment or opt-in; empty where it is
	Tuned  string // verdicts on modules and trees, right/weak/wrong; empty for none
	First  string // the same on fresh code, at first look
	Fixes  int    // bugs of other projects that it finds in the code before their fix
	Repos  int    // how many projects these are of
}

// The table of the sites, with a line for each of them, and a header. `go run ./eval table -update` writes the figures and the levels that follow from them,
// and a test holds the file to eval/data.
//
//go:embed sites.tsv
var sitesTable string

// SiteTable is the table of the sites, by their names in order. It panics if the file that is part of the program is broken.
var SiteTable = sync.OnceValue(func() []SiteRow {
	rows, err := ParseSites(sitesTable)
	if err != nil {
		panic(err)
	}
	return rows
})

// SiteColumns is the header of the table.
const SiteColumns = "site\tchecks\tlevel\tground\tmodules and trees\tfresh at first look\tfixes\tprojects"

// ParseSites reads the text of a table of sites. An error names the line.
func ParseSites(text string) ([]SiteRow, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != SiteColumns {
		return nil, fmt.Errorf("line 1: want the header %q", SiteColumns)
	}
	var rows []SiteRow
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != strings.Count(SiteColumns, "\t")+1 {
			return nil, fmt.Errorf("line %d: %d fields", i+2, len(f))
		}
		r := SiteRow{Site: Site(f[0]), Checks: strings.Fields(f[1]), Ground: f[3], Tuned: f[4], First: f[5]}
		switch f[2] {
		case Default.String():
			r.Level = Default
		case Nursery.String():
			r.Level = Nursery
		case OptIn.String():
			r.Level = OptIn
		default:
			return nil, fmt.Errorf("line %d: unknown level %q", i+2, f[2])
		}
		if _, err := fmt.Sscan(f[6]+" "+f[7], &r.Fixes, &r.Repos); err != nil {
			return nil, fmt.Errorf("line %d: fixes and projects: %w", i+2, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// String is the line of the table.
func (r *SiteRow) String() string {
	return strings.Join([]string{string(r.Site), strings.Join(r.Checks, " "), r.Level.String(), r.Ground, r.Tuned, r.First, fmt.Sprint(r.Fixes), fmt.Sprint(r.Repos)}, "\t")
}

var levels = sync.OnceValue(func() map[Site]Level {
	out := make(map[Site]Level)
	for _, r := range SiteTable() {
		out[r.Site] = r.Level
	}
	return out
})

// LevelOf is the level of a site; Default for one that is not in the table, as no site of the suite is (TestSites in eval).
func LevelOf(s Site) Level {
	if l := levels()[s]; l != 0 {
		return l
	}
	return Default
}

// SitesOf are the rows of the sites of a check, named RULE/CHECK.
func SitesOf(check string) []SiteRow {
	return slices.DeleteFunc(slices.Clone(SiteTable()), func(r SiteRow) bool { return !slices.Contains(r.Checks, check) })
}

// CheckLevel is the level of a check, named RULE/CHECK: that of its site that is reported with the least asking. It is Default for a check without sites.
func CheckLevel(check string) Level {
	sites := SitesOf(check)
	if len(sites) == 0 {
		return Default
	}
	return slices.MinFunc(sites, func(a, b SiteRow) int { return cmp.Compare(a.Level, b.Level) }).Level
}
