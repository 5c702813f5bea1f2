package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A row is work that is measured with several tools: what their caches hold when the clock starts, and what has been
// edited since the last run.
type row struct {
	name       string
	work       string // in the table, behind the module's name
	tools      []*tool
	buildEmpty bool // the go command's build cache is empty; else it is full
	warm       bool // the tool's own cache is that of an earlier run; else it is empty
	edit       func([]*pkg) (*pkg, error)
	bars       []bar
}

// linearRow is the row that has no other tool.
const linearRow = "linear"

// k8sName is the name of the module that the flag -kubernetes is about.
const k8sName = "kubernetes"

var rows = []row{
	{
		name: "nobuild", work: "build cache empty, own cache empty", buildEmpty: true,
		tools: []*tool{ctrllint, staticcheck, golangci},
		bars: []bar{
			{against: staticcheck, cpu: 1. / 15, seconds: 45 * time.Second},
			{against: golangci, cpu: 1. / 15, seconds: 45 * time.Second},
		},
	},
	{
		name: "cold", work: "build cache full, own cache empty",
		tools: []*tool{ctrllint, staticcheck},
		bars: []bar{
			{against: staticcheck, cpu: 1. / 15, peak: true},
			{against: staticcheck, cpu: 1. / 25, peak: true},
		},
	},
	{
		name: "warm", work: "nothing changed", warm: true,
		tools: []*tool{ctrllint, staticcheck},
		bars:  []bar{{against: staticcheck, cpu: 1}},
	},
	{
		name: "leaf", work: "a package edited that hardly any other imports", warm: true, edit: leaf,
		tools: []*tool{ctrllint, staticcheck},
		bars:  []bar{{against: staticcheck, cpu: 1}},
	},
	{
		name: "hub", work: "a package edited that half the others import", warm: true, edit: hub,
		tools: []*tool{ctrllint, staticcheck},
		bars:  []bar{{against: staticcheck, cpu: 1. / 4}},
	},
	{
		name: "vet", work: "`go vet -vettool`, build cache full, no results of vet",
		tools: []*tool{vetCtrllint, vetEmpty},
		bars:  []bar{{against: vetEmpty, cpu: 1.3}},
	},
	{
		name: "golangci", work: "golangci-lint with the plugin, build cache full, own cache empty",
		tools: []*tool{golangciWith, golangciWithout},
		bars:  []bar{{against: golangciWithout, cpu: 1.3}},
	},
}

// barsOn are the bars of a row on a module.
func (r row) barsOn(module string) []bar {
	if module == k8sName && r.name == "cold" {
		return []bar{{against: staticcheck, cpu: 1. / 10, memory: 8 << 20}}
	}
	return r.bars
}

func rowNames() []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	return append(names, linearRow)
}

// tableRows are the rows that the table has of a module: the first one has them all.
func tableRows(module string, first bool) []string {
	switch {
	case module == k8sName:
		return []string{"cold", linearRow}
	case first:
		return rowNames()
	default:
		return []string{"nobuild", "cold", "warm"}
	}
}

// A step is a row on a module, both by name.
type step struct{ module, row string }

// plan reads the flag -rows: names of rows, for all modules or, behind the name of one and a colon, for that. The steps
// are ordered by module, so that one build cache after the other is in use.
func plan(spec string, modules []string) ([]step, error) {
	wanted := map[step]bool{}
	for item := range strings.SplitSeq(spec, ",") {
		name, only := item, modules
		if module, rest, ok := strings.Cut(item, ":"); ok {
			if !slices.Contains(modules, module) {
				return nil, fmt.Errorf("-rows %s: there is no module %s", item, module)
			}
			name, only = rest, []string{module}
		}
		if name != "all" && name != "table" && !slices.Contains(rowNames(), name) {
			return nil, fmt.Errorf("-rows %s: want some of %s, or all, or table", item, strings.Join(rowNames(), ", "))
		}
		for _, module := range only {
			names := []string{name}
			switch name {
			case "all":
				names = rowNames()
			case "table":
				names = tableRows(module, module == modules[0])
			}
			for _, name := range names {
				wanted[step{module, name}] = true
			}
		}
	}
	var steps []step
	for _, module := range modules {
		for _, name := range rowNames() {
			if s := (step{module, name}); wanted[s] {
				steps = append(steps, s)
			}
		}
	}
	return steps, nil
}
