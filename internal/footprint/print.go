package footprint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ctrllint/ctrllint/internal/phrase"
)

// A table is a part of an inventory: the rows below the first one, if there are some.
type table struct {
	title string
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// tables returns the parts of i.
func (i *Inventory) tables() []table {
	share := 100 * float64(len(i.Unknown)) / float64(max(i.Places, 1))
	held := table{"Informers: what the cache holds", [][]string{{"KIND", "FORM", "SCOPE", "BECAUSE OF"}}}
	for _, h := range i.Informer {
		held.add(h.Kind, h.Form, h.Scope, lines(h.causes()))
	}
	requests := table{"Requests", [][]string{{"KIND", "VERB", "SOURCE", "AT"}}}
	for _, u := range i.Requests {
		requests.add(u.Kind, u.Verb, u.Source, lines(u.At))
	}
	unknown := table{fmt.Sprintf("Not resolved: %d of %s (%.0f %%)", len(i.Unknown), phrase.Count(i.Places, "request", "requests"), share),
		[][]string{{"KIND", "VERB", "UNKNOWN", "AT"}}}
	for _, m := range i.Unknown {
		unknown.add(m.Kind, m.Verb, m.What, m.At)
	}
	roles := table{"Roles grant", [][]string{{"KIND", "VERBS", "NAMESPACE", "BY"}}}
	for _, r := range i.Rules {
		roles.add(r.Kind, strings.Join(r.Verbs, ", "), cmp.Or(r.Namespace, "all"), r.From)
	}
	return []table{held, requests, unknown, roles}
}

func (h *Held) causes() (out []string) {
	for _, c := range h.Causes {
		out = append(out, c.Role+" at "+c.At)
	}
	return out
}

// lines returns the first of all, one a line, and counts the others.
func lines(all []string) string {
	const most = 4
	if more := len(all) - most; more > 1 {
		return fmt.Sprintf("%s\nand %d more", strings.Join(all[:most], "\n"), more)
	}
	return strings.Join(all, "\n")
}

// notes are sentences on what the tables of i leave open.
func (i *Inventory) notes() (out []string) {
	if len(i.Informer) == 0 {
		out = append(out, "The cache holds nothing.")
	}
	if len(i.Unless) > 0 {
		out = append(out, "Conditions: "+strings.Join(i.Unless, "; ")+".")
	}
	if i.Open {
		out = append(out, "Not all options of the manager are known: scopes may be narrower, and reads of other kinds live.")
	}
	return out
}

// Print writes the inventories as text, json or md.
func Print(w io.Writer, format string, all []Inventory) error {
	if format == "json" {
		return printJSON(w, all)
	}
	top, title, write := "%s (manager at %s)\n", "\n%s\n", writeText
	if format == "md" {
		top, title, write = "## %s\n\nManager at %s.\n", "\n### %s\n\n", writeMarkdown
	}
	var b bytes.Buffer
	for n := range all {
		fmt.Fprintf(&b, strings.Repeat("\n", min(n, 1))+top, all[n].Program, strings.Join(all[n].Managers, ", "))
		for _, note := range all[n].notes() {
			fmt.Fprintf(&b, "\n%s\n", note)
		}
		for _, t := range all[n].tables() {
			if len(t.rows) > 1 {
				fmt.Fprintf(&b, title, t.title)
				write(&b, t.rows)
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeText writes rows with aligned columns. The lines of the last cell stand below each other.
func writeText(b *bytes.Buffer, rows [][]string) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(w, "\t%s\n", strings.ReplaceAll(strings.Join(row, "\t"), "\n", "\n"+strings.Repeat("\t", len(row))))
	}
	_ = w.Flush() // a buffer takes everything
}

func writeMarkdown(b *bytes.Buffer, rows [][]string) {
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>")
	for n, row := range rows {
		for _, cell := range row {
			fmt.Fprintf(b, "| %s ", escape.Replace(cell))
		}
		b.WriteString("|\n")
		if n == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
}

func printJSON[T any](w io.Writer, all []T) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(append([]T{}, all...)) // [] rather than null
}
