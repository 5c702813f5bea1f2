package ruletest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// orderFile lists, below testdata, what depends on the order of the source and should not.
const orderFile = "order.txt"

// known is one line of it.
type known struct {
	rule string
	difference
	why  string
	line int
}

// readKnown reads the list in dir. A file that is not there is an empty list.
func readKnown(dir string) ([]known, error) {
	text, err := os.ReadFile(filepath.Join(dir, orderFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []known
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || slices.Contains(fields, "") {
			return nil, fmt.Errorf("%s:%d: want four fields, separated by tabs: rule, example, what differs, why", orderFile, n)
		}
		k := known{fields[0], difference{fields[1], fields[2]}, fields[3], n}
		if slices.ContainsFunc(all, func(o known) bool { return o.rule == k.rule && o.difference == k.difference }) {
			return nil, fmt.Errorf("%s:%d: listed twice", orderFile, n)
		}
		all = append(all, k)
	}
	return all, nil
}

// checkKnown compares what differs between orders with the list in dir. What is not listed fails t, and so does what is
// listed of the packages that were seen and does not differ: the list can only become shorter.
func checkKnown(t reporter, dir, rule string, seen []*analysed, differ map[difference]witness) {
	t.Helper()
	list, err := readKnown(dir)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	listed := make(map[difference]bool)
	for _, k := range list {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(k.example))); err != nil {
			t.Errorf("%s:%d: there is no such example: %v", orderFile, k.line, err)
		}
		if k.rule != rule || !slices.ContainsFunc(seen, func(one *analysed) bool { return one.example() == k.example }) {
			continue
		}
		listed[k.difference] = true
		if _, ok := differ[k.difference]; !ok {
			t.Errorf("%s:%d: %s in %s no longer depends on the order of the source: the line can go", orderFile, k.line, k.what, k.example)
		}
	}
	var found []string
	for d, w := range differ {
		if !listed[d] {
			found = append(found, fmt.Sprintf("%s: %s depends on the order of the source; %v", d.example, d.what, w))
		}
	}
	slices.Sort(found)
	for _, f := range found {
		t.Errorf("%s", f)
	}
}
