package footprint

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/ruletest"
)

const printed = "testdata/print"

// inventories reads a file of testdata/print.
func inventories(t *testing.T, name string) []Inventory {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(printed, name))
	if err != nil {
		t.Fatal(err)
	}
	all, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// golden compares got with a file of testdata/print.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join(printed, name)
	if os.Getenv(ruletest.UpdateGolden) != "" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nand wanted (%v)\n%s", name, got, err, want)
	}
}

func TestPrint(t *testing.T) {
	for format, name := range map[string]string{"text": "now.txt", "md": "now.md", "json": "now.json"} {
		var b bytes.Buffer
		if err := Print(&b, format, inventories(t, "now.json")); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
	var b bytes.Buffer
	if err := Print(&b, "json", nil); err != nil || b.String() != "[]\n" {
		t.Errorf("no programs are %q, %v", b.String(), err)
	}
}

func TestDiff(t *testing.T) {
	changes, left := Diff(inventories(t, "before.json"), inventories(t, "now.json"), []string{"example.com/m/cmd/old"})
	if want := []string{"example.com/m/cmd/other"}; !slices.Equal(left, want) {
		t.Errorf("not analysed are %s, want %s", left, want)
	}
	for format, name := range map[string]string{"text": "diff.txt", "md": "diff.md", "json": "diff.json"} {
		var b bytes.Buffer
		if err := PrintChanges(&b, format, changes); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
	same, left := Diff(inventories(t, "now.json"), inventories(t, "now.json"), nil)
	var b bytes.Buffer
	if err := PrintChanges(&b, "text", same); err != nil || len(same)+len(left) > 0 || b.String() != "The footprint is the same.\n" {
		t.Errorf("of equal inventories, %v, %s, and printed %q, %v", same, left, b.String(), err)
	}
}

func TestRead(t *testing.T) {
	for _, text := range []string{"", "{}", "[{}]", `["x"]`, "x", `[{"program":"x"}`, `[{"rule":"lockheld"}]`} {
		if all, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, all)
		}
	}
}

func TestScope(t *testing.T) {
	for _, test := range []struct {
		scope Scope
		want  string
	}{
		{Scope{}, "cluster"},
		{Scope{Transform: true}, "cluster; transformed"},
		{Scope{Namespaces: []Namespace{{Text: "a"}, {Text: "$NS", All: true}}}, "namespaces a, $NS (all if it is empty)"},
		{Scope{Labels: "app=m,x in (a,b)", Fields: "metadata.name=n"}, "labels app=m,x in (a,b); fields metadata.name=n"},
	} {
		if got := test.scope.String(); got != test.want {
			t.Errorf("%+v is %q, want %q", test.scope, got, test.want)
		}
	}
}

func TestWider(t *testing.T) {
	for _, test := range []struct {
		before, now string
		want        bool
	}{
		{"cluster", "cluster", false},
		{"cluster", "namespaces a", false},
		{"cluster; transformed", "cluster", false},
		{"namespaces a", "cluster", true},
		{"namespaces a", "cluster; transformed", true},
		{"namespaces a, b", "namespaces b", false},
		{"namespaces a", "namespaces a, b", true},
		{"namespaces a", "namespaces a (all if it is empty)", true},
		{"namespaces a", "namespaces a; labels x=y", false},
		{"namespaces a; labels x=y", "namespaces a", true},
		{"namespaces a; labels x=y", "labels x=y", true},
		{"labels x=y", "labels x=z", true},
	} {
		if got := wider(test.before, test.now); got != test.want {
			t.Errorf("from %q to %q: wider is %v, want %v", test.before, test.now, got, test.want)
		}
	}
}
