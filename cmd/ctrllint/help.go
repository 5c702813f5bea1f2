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
	ctrllint explain RULE                           document a rule and list its checks
	ctrllint explain RULE/CHECK                     document a check
	ctrllint footprint [flags] [packages]           print what programs ask of the API server, and keep in their caches
	ctrllint init [-baseline]                       write a .ctrllint.yml, and print the next steps
	ctrllint completion bash|zsh|fish               print a completion script
	ctrllint flags                                  print the settings of .ctrllint.yml as flags for go vet
	ctrllint clean                                  remove the cache
	ctrllint version                                print the version

Flags:
	-config file       read settings from file; off reads none. The default is the .ctrllint.yml
	                   in the working directory or above it, up to the root of the repository.
	                   Flags on the command line take precedence.
	-format text       how findings are printed: text, with colours on a terminal unless NO_COLOR is set;
	                   json, one object per line; sarif, for code scanning and editors; github, which
	                   annotates a pull request in GitHub Actions; html, a page with filters;
	                   junit, checkstyle and codequality (of GitLab), for CI systems
	-fix               apply the suggested fixes, and print the remaining findings
	-diff              print the fixes as a diff instead of applying them
	-baseline file     report only findings that are not in file, and list its outdated entries
	-write-baseline    create that file, or remove its outdated entries
	-write-baseline=all
	                   write it from scratch with all current findings
	-new-from rev      report only findings in code changed since rev, on the branch or uncommitted:
	                   on a changed line, or caused by one
	-affected          the arguments are files: analyse their packages, and those that import them;
	                   with a go.mod, its module
	-tests             also report in _test.go files and in code that imports a test framework
	-generated         also report in generated files
	-deps auto         which dependencies are analysed from source: auto, those without built-in
	                   knowledge; off, none; all, all modules
	-exclude list      report no findings and no failures in files and folders that match these
	                   comma-separated patterns; ** is any number of folders
	-tags list         comma-separated build tags
	-matrix list       analyse several builds in one run, such as
	                   linux/amd64,windows/amd64+cgo=off,tags=e2e,host
	-C dir             work in dir; paths are relative to it
	-only list         report only these rules and checks: lockheld,eventfilter/tombstone; can be
	                   repeated (not in go vet)
	-RULE              run only this rule; can be repeated
	-RULE=false        run all rules but this one
	-RULE.CHECK=false  run all checks but this one, such as -startctx.loop=false
	-RULE.FLAG         a flag of one rule, such as -lockheld.slow: see its page
	-confidence word   for rules with a confidence: possible findings as well, the default, or certain
	-severity word     warnings as well, the default, or error
	-nursery           also report the nursery: checks that are not yet right often enough
	-cache off         neither read nor write cached results
	-q                 no summary and no progress
	-debug             print where a limit cut the analysis short, where types came from, and what took how long
	-cpuprofile file   write a CPU profile of the run
	-memprofile file   write a memory profile of the run
	-version           print the version and exit

Flags of footprint, which has -C, -cache, -config, -deps, -exclude, -q and -tags besides:
	-format text       how the inventory of each program is printed: text, json or md (Markdown)
	-diff file         print what has changed since the run that wrote file with -format json
	-fail-on-new       exit with 1 if an informer, a wider scope or a request that writes is new

Exit codes:
	0  no findings
	1  findings; with -fix, findings that remain; with -diff, a difference
	2  something could not be analysed, or the command line is wrong

Environment:
	CTRLLINT_CACHE     the cache folder, or off. The default is ctrllint in the user's cache folder.
	GOCACHEPROG        a cache program in the go command's protocol, by which machines share cached results

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
