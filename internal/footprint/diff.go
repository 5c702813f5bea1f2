package footprint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/phrase"
)

// A Change is what a program does from now on, or not any more, as a sentence.
type Change struct {
	Text string `json:"text"`
	New  bool   `json:"new"` // an informer, a wider scope, or a request that writes
}

// Read reads what Print has written as json.
func Read(data []byte) (all []Inventory, err error) {
	err = json.Unmarshal(data, &all)
	if err == nil && slices.ContainsFunc(all, func(i Inventory) bool { return i.Program == "" }) {
		err = errors.New("an inventory has no program")
	}
	return all, err
}

// Diff compares the inventories of this run with earlier ones, by program. Others are programs that have none any more; left are
// those of before that this run has not analysed.
func Diff(before, now []Inventory, others []string) (changes []Change, left []string) {
	var old, current []claim
	for _, i := range before {
		if slices.Contains(others, i.Program) || slices.ContainsFunc(now, func(n Inventory) bool { return n.Program == i.Program }) {
			old = append(old, i.claims(nil)...)
		} else {
			left = append(left, i.Program)
		}
	}
	for _, i := range now {
		current = append(current, i.claims(before)...)
	}
	for n, c := range current {
		if !c.among(old) && !c.among(current[:n]) {
			changes = append(changes, Change{c.begins + c.details, c.isNew})
		}
	}
	for n, c := range old {
		if !c.among(current) && !c.among(old[:n]) {
			changes = append(changes, Change{c.ceases, false})
		}
	}
	return changes, left
}

// A claim is something that an inventory says: the sentence for a program that begins to do so, which has no places, what
// is to be added to it, and the sentence for a program that ceases.
type claim struct {
	begins, details, ceases string
	isNew                   bool
}

func (c claim) among(all []claim) bool {
	return slices.ContainsFunc(all, func(o claim) bool { return o.begins == c.begins })
}

// claims returns what i says. A scope is new unless one of before for the same objects is at least as wide.
func (i *Inventory) claims(before []Inventory) (out []claim) {
	add := func(isNew bool, begins, ceases, what, details string) {
		out = append(out, claim{fmt.Sprintf(begins, i.Program, what), details, fmt.Sprintf(ceases, i.Program, what), isNew})
	}
	const requests, ceased = "%s makes a new request: %s", "%s no longer makes the request: %s"
	add(false, "%s is a new %s", "%s is no longer a %s", "program with a manager", "")
	for _, h := range i.Informer {
		covered := slices.ContainsFunc(before, func(b Inventory) bool {
			return b.Program == i.Program && slices.ContainsFunc(b.Informer, func(o Held) bool {
				return o.Kind == h.Kind && o.Form == h.Form && !wider(o.Scope, h.Scope)
			})
		})
		add(!covered, "the cache of %s holds %s from now on", "the cache of %s no longer holds %s", h.what(), ": "+phrase.Some(h.causes()))
	}
	for _, u := range i.Unless {
		add(true, "the scopes of %s have a new condition: %s", "the scopes of %s no longer have the condition: %s", u, "")
	}
	for _, u := range i.Requests {
		add(writes(u.Verb), requests, ceased, fmt.Sprintf("%s %s (%s)", u.Verb, u.Kind, u.Source), " at "+phrase.Some(u.At))
	}
	for _, m := range i.Unknown {
		add(writes(m.Verb), requests, ceased, fmt.Sprintf("%s %s (unknown %s)", m.Verb, m.Kind, m.What), " at "+m.At)
	}
	for _, r := range i.Rules {
		for _, verb := range r.Verbs {
			what := fmt.Sprintf("%s %s in %s", verb, r.Kind, cmp.Or(r.Namespace, "all namespaces"))
			add(false, "roles let %s %s from now on", "no role lets %s %s any more", what, ": "+r.From)
		}
	}
	return out
}

// what names what is held: "every v1 Pod of the cluster", "every v1 Pod (metadata; namespaces a)".
func (h *Held) what() string {
	text, more := "every "+h.Kind, h.Scope
	if h.Scope == cluster {
		text, more = text+" of the cluster", ""
	}
	if h.Form != "typed" {
		more = strings.TrimSuffix(h.Form+"; "+more, "; ")
	}
	if more != "" {
		text += " (" + more + ")"
	}
	return text
}

// writes reports whether a request with that verb, and perhaps a subresource, writes.
func writes(verb string) bool {
	verb, _, _ = strings.Cut(verb, " ")
	return kubeapi.Verb(verb).Writes()
}

// PrintChanges writes the changes as text, json or md.
func PrintChanges(w io.Writer, format string, changes []Change) error {
	if format == "json" {
		return printJSON(w, changes)
	}
	bullet, text := map[string]string{"md": "- "}[format], ""
	for _, c := range changes {
		text += bullet + c.Text + "\n"
	}
	_, err := io.WriteString(w, cmp.Or(text, "The footprint is the same.\n"))
	return err
}
