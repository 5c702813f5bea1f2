package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
)

// completion prints what makes a shell complete flags, their values, commands and rules. What can be completed is asked
// of the same flags that a run reads.
func completion(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	scripts := map[string]func(words) string{"bash": bash, "zsh": zsh, "fish": fish}
	if len(args) != 1 || scripts[args[0]] == nil {
		fmt.Fprintln(stderr, "ctrllint: completion for which shell? Say bash, zsh or fish")
		return exitFailure
	}
	fmt.Fprint(stdout, scripts[args[0]](wordsOf(rules)))
	return exitClean
}

// words are what can be completed.
type words struct {
	flags    []*flag.Flag
	rules    []string
	commands []string
}

func wordsOf(rules []*analysis.Analyzer) words {
	w := words{commands: slices.Sorted(maps.Keys(subcommands()))}
	newSettings(rules).flags.VisitAll(func(f *flag.Flag) { w.flags = append(w.flags, f) })
	for _, a := range rules {
		w.rules = append(w.rules, a.Name)
	}
	return w
}

// takesValue reports whether a value follows the flag as a word of its own.
func takesValue(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// files are the flags whose value is a file or folder.
var files = map[string]bool{"C": true, "baseline": true, "config": true, "cpuprofile": true, "memprofile": true}

func bash(w words) string {
	var names, values []string
	for _, f := range w.flags {
		names = append(names, "-"+f.Name)
		switch {
		case f.Name == "format":
			values = append(values, fmt.Sprintf("\t-format) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;", strings.Join(config.Formats, " ")))
		case files[f.Name]:
			values = append(values, fmt.Sprintf("\t-%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;", f.Name))
		case takesValue(f):
			values = append(values, fmt.Sprintf("\t-%s) return ;;", f.Name))
		}
	}
	return fmt.Sprintf(`# source <(ctrllint completion bash)
_ctrllint() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	case $prev in
	help | explain) COMPREPLY=($(compgen -W '%s' -- "$cur")); return ;;
	completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")); return ;;
%s
	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W '%s' -- "$cur")) ;;
	*) COMPREPLY=($(compgen -d -- "$cur")); [ "$COMP_CWORD" -eq 1 ] && COMPREPLY+=($(compgen -W '%s' -- "$cur")) ;;
	esac
}
complete -o nospace -F _ctrllint ctrllint
`, strings.Join(w.rules, " "), strings.Join(values, "\n"), strings.Join(names, " "), strings.Join(w.commands, " "))
}

func zsh(w words) string {
	var b strings.Builder
	b.WriteString("#compdef ctrllint\n# ctrllint completion zsh > \"${fpath[1]}/_ctrllint\"\n_ctrllint() {\n\t_arguments \\\n")
	for _, f := range w.flags {
		_, usage := flag.UnquoteUsage(f)
		spec := fmt.Sprintf("-%s[%s]", f.Name, strings.NewReplacer("[", "(", "]", ")", "'", "’", ":", " ").Replace(usage))
		switch {
		case f.Name == "format":
			spec += ":format:(" + strings.Join(config.Formats, " ") + ")"
		case files[f.Name]:
			spec += ":file:_files"
		case takesValue(f):
			spec += ":value: "
		}
		fmt.Fprintf(&b, "\t\t'%s' \\\n", spec)
	}
	fmt.Fprintf(&b, "\t\t'1: :_alternative \"commands:command:(%s)\" \"folders:folder:_files -/\"' \\\n", strings.Join(w.commands, " "))
	fmt.Fprintf(&b, "\t\t'*: :_alternative \"rules:rule:(%s)\" \"folders:folder:_files -/\"'\n}\n_ctrllint \"$@\"\n", strings.Join(w.rules, " "))
	return b.String()
}

func fish(w words) string {
	var b strings.Builder
	b.WriteString("# ctrllint completion fish > ~/.config/fish/completions/ctrllint.fish\n")
	fmt.Fprintf(&b, "complete -c ctrllint -n __fish_use_subcommand -a '%s'\n", strings.Join(w.commands, " "))
	fmt.Fprintf(&b, "complete -c ctrllint -n '__fish_seen_subcommand_from help explain' -f -a '%s'\n", strings.Join(w.rules, " "))
	b.WriteString("complete -c ctrllint -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n")
	for _, f := range w.flags {
		_, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "complete -c ctrllint -o %s -d '%s'", f.Name, strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(usage))
		switch {
		case f.Name == "format":
			fmt.Fprintf(&b, " -x -a '%s'", strings.Join(config.Formats, " "))
		case files[f.Name]:
			b.WriteString(" -r")
		case takesValue(f):
			b.WriteString(" -x")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
