package rule

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Level decides whether the findings of a site are reported by default.
type Level uint8

// The levels are those of Clippy, Rust's linter. A site begins in the nursery, and leaves it when its figures are
// good enough; findings of an opt-in site need an option of its rule.
const (
	Default Level = iota + 1
	Nursery
	OptIn
)

// String returns the name in the table and the outputs.
func (l Level) String() string {
	switch l {
	case Nursery:
		return "nursery"
	case OptIn:
		return "opt-in"
	}
	return "default"
}

// A SiteRow is a row of the table of sites.
type SiteRow struct {
	Site   Site
	Checks []string // as RULE/CHECK
	Level  Level
	Ground string // why the level does not follow from the figures: seed, comment or opt-in; empty if it does
	Tuned  string // verdicts on modules and trees, right/weak/wrong; empty for none
	First  string // on fresh code, at first look
	Fixes  int    // bugs of other projects found before their fix
	Repos  int    // the number of these projects
}

// `go run ./eval table -update` writes the table of sites, and a test compares it with eval/data.
//
//go:embed sites.tsv
var sitesTable string

// SiteTable is the table of sites, sorted by name.
var SiteTable = sync.OnceValue(func() []SiteRow {
	rows, err := ParseSites(sitesTable)
	if err != nil {
		panic(err)
	}
	return rows
})

// SiteColumns is the header of the table.
const SiteColumns = "site\tchecks\tlevel\tground\tmodules and trees\tfresh at first look\tfixes\tprojects"

// ParseSites parses a table of sites.
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
		for r.Level = Default; r.Level.String() != f[2]; r.Level++ {
			if r.Level == OptIn {
				return nil, fmt.Errorf("line %d: unknown level %q", i+2, f[2])
			}
		}
		if _, err := fmt.Sscan(f[6]+" "+f[7], &r.Fixes, &r.Repos); err != nil {
			return nil, fmt.Errorf("line %d: fixes and projects: %w", i+2, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// String returns the row as a line of the table.
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

// LevelOf returns the level of a site; Default for one that is not in the table.
func LevelOf(s Site) Level {
	if l := levels()[s]; l != 0 {
		return l
	}
	return Default
}

// SitesOf returns the rows of the sites of a check, named RULE/CHECK.
func SitesOf(check string) []SiteRow {
	return slices.DeleteFunc(slices.Clone(SiteTable()), func(r SiteRow) bool { return !slices.Contains(r.Checks, check) })
}

// CheckLevel returns the lowest level of the sites of a check, named RULE/CHECK; Default for a check without sites.
func CheckLevel(check string) Level {
	sites := SitesOf(check)
	if len(sites) == 0 {
		return Default
	}
	return slices.MinFunc(sites, func(a, b SiteRow) int { return cmp.Compare(a.Level, b.Level) }).Level
}
