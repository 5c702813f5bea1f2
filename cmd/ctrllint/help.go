package main

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const usage = `ctrllint finds bugs that hang or corrupt Kubernetes controllers.

	ctrllint [flags] [packages]                     the default is ./...
	go vet -vettool=$(which ctrllint) $(ctrllint flags) [packages]
	ctrllint explain RULE                           what a rule is about, and its sub-rules
	ctrllint explain RULE/SUB-RULE                  what one kind of finding is about
	ctrllint init [-baseline]                       write a .ctrllint.yml, and tell how to go on
	ctrllint completion bash|zsh|fish               what makes a shell complete all of this
	ctrllint flags                                  what .ctrllint.yml says, as flags for go vet
	ctrllint clean                                  remove what earlier runs have kept
	ctrllint version                                the version

Flags:
	-config file       read settings from file; off reads none. The default is the .ctrllint.yml
	                   in the working directory or above it, up to the root of the repository.
	                   Flags on the command line win over the file.
	-format text       how findings are printed: text, with colours on a terminal unless NO_COLOR is set;
	                   json, one object a line; sarif, for code scanning and editors; github, which
	                   annotates a pull request in GitHub Actions; html, a page to read and to filter;
	                   junit, checkstyle and codequality (of GitLab), for CI systems
	-fix               apply the fixes that findings suggest; what is left is printed
	-diff              print the fixes as a diff, and change nothing
	-baseline file     report only findings that file does not accept; say what of it is gone
	-write-baseline    make that file; if it is there, take out of it what is gone
	-write-baseline=all
	                   make it anew: what is found now is accepted
	-new-from rev      report only findings in code changed since rev, by the branch or not yet
	                   committed: on a changed line, or led to by one
	-affected          the arguments are files: analyse their packages, and those that import them;
	                   with a go.mod, its module
	-tests             report in _test.go files and in code that imports a test framework, too
	-generated         report in generated files, too
	-deps auto         which dependencies are looked at from source, for what their functions do: auto,
	                   those of which nothing is known beforehand; off, none; all, all modules
	-exclude list      report nothing in files and folders that match these patterns, separated
	                   by commas, nor that they cannot be analysed; ** is any number of folders
	-tags list         build tags, separated by commas
	-matrix list       analyse several builds in one run, such as
	                   linux/amd64,windows/amd64+cgo=off,tags=e2e,host
	-C dir             work in dir; paths are relative to it
	-only list         report only these rules and sub-rules: lockheld,eventfilter/tombstone; several
	                   add up (not in go vet)
	-RULE              run only the rules named so
	-RULE=false        run all rules but those
	-RULE.SUB=false    all sub-rules but that one, such as -startctx.loop=false
	-RULE.FLAG         a flag of one rule, such as -lockheld.slow: see its page
	-confidence word   of rules that tell how sure they are: possible, the default, or certain alone
	-severity word     what is a warning, too, the default, or error alone
	-nursery           what is in the nursery, too: forms of bugs that are not yet right often enough
	-cache off         keep nothing for the next run, and use nothing of earlier ones
	-q                 no summary and no progress
	-debug             say where the analysis was cut short, where types came from, and what took how long
	-cpuprofile file   write a profile of the time that the run takes
	-memprofile file   write a profile of the memory that the run allocates
	-version           print the version and exit

Exit codes:
	0  no findings
	1  findings, with -fix those that are left, with -diff a difference
	2  something could not be analysed, or the command line is wrong

Environment:
	CTRLLINT_CACHE     the folder for what is kept for the next run, or off. The default is ctrllint in the
	                   user's folder for caches.
	GOCACHEPROG        a cache program of the go command's protocol, with which machines share what is kept

Rules:
`

// help prints the usage, or what explain has to say of the rules and sub-rules that names names.
func help(rules []*analysis.Analyzer, names []string, stdout, stderr io.Writer) int {
	if len(names) == 0 {
		fmt.Fprint(stdout, usage)
		for _, a := range rules {
			summary, _, _ := strings.Cut(a.Doc, "\n")
			fmt.Fprintf(stdout, "\t%-16s %s\n", a.Name, summary)
		}
		return exitClean
	}
	if len(names) == 1 && subcommands()[names[0]] != nil {
		return help(rules, nil, stdout, stderr)
	}
	return explainAll(rules, names, stdout, stderr)
}
