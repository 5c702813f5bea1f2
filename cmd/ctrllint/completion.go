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
	"github.com/ctrllint/ctrllint/internal/deps"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// shells returns the supported shells, with the functions that make their scripts.
func shells() map[string]func(words) string {
	return map[string]func(words) string{"bash": bash, "zsh": zsh, "fish": fish}
}

// completion prints the script by which a shell completes flags, their values, commands, rules and sub-rules.
func completion(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 || shells()[args[0]] == nil {
		fmt.Fprintln(stderr, "ctrllint: completion: name a shell: bash, zsh or fish")
		return exitFailure
	}
	fmt.Fprint(stdout, shells()[args[0]](wordsOf(rules)))
	return exitClean
}

// words are what can be completed.
type words struct {
	flags     []completed
	footprint []completed // the flags of the command footprint
	rules     []string    // with their sub-rules: lockheld, lockheld/relock
	commands  []string
}

// completed is a flag with its values; none if there are others.
type completed struct {
	*flag.Flag
	values []string
}

func wordsOf(rules []*analysis.Analyzer) words {
	w := words{commands: slices.Sorted(maps.Keys(subcommands())), rules: config.Names(rules)}
	w.flags, w.footprint = newSettings(rules).completed(), newFootprintSettings(rules).completed()
	return w
}

// completed returns the flags of s.
func (s *settings) completed() (out []completed) {
	s.flags.VisitAll(func(f *flag.Flag) {
		values := valuesOf(f)
		if f.Name == "format" {
			values = s.formats
		}
		out = append(out, completed{f, values})
	})
	return out
}

// takesValue reports whether a value follows the flag as a word of its own.
func takesValue(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// files are the flags whose value is a file or folder.
var files = map[string]bool{"C": true, "baseline": true, "config": true, "cpuprofile": true, "diff": true, "memprofile": true}

// valuesOf returns the values of f; none if there are others.
func valuesOf(f *flag.Flag) []string {
	switch f.Name {
	case "confidence":
		return rule.Confidences
	case "severity":
		return rule.Severities
	case "deps":
		return deps.Policies
	case "cache":
		return []string{"on", "off"}
	case "write-baseline":
		return []string{"true", "false", string(writeAll)}
	}
	if !takesValue(f) {
		return []string{"true", "false"}
	}
	return nil
}

// bashFlags returns the names of flags, and the cases that complete their values.
func bashFlags(flags []completed) (names, values []string) {
	for _, f := range flags {
		names = append(names, "-"+f.Name)
		pattern := fmt.Sprintf("-%s=", f.Name)
		if takesValue(f.Flag) {
			pattern = fmt.Sprintf("-%s | %s", f.Name, pattern)
		}
		reply := ""
		switch {
		case f.values != nil:
			reply = fmt.Sprintf(`COMPREPLY=($(compgen -W '%s' -- "$cur")); `, strings.Join(f.values, " "))
		case f.Name == "only":
			reply = `COMPREPLY=($(compgen -P "$head" -W "$rules" -- "${cur##*,}")); `
		case files[f.Name]:
			reply = `_ctrllint_files -f; `
		}
		values = append(values, fmt.Sprintf("\t%s) %sreturn ;;", pattern, reply))
	}
	return names, values
}

// bash returns the script for bash, for which -format=json is three words, and a list with commas one.
func bash(w words) string {
	names, values := bashFlags(w.flags)
	footprintNames, footprintValues := bashFlags(w.footprint)
	return fmt.Sprintf(`# source <(ctrllint completion bash)
_ctrllint_files() {
	compopt -o filenames 2>/dev/null # a slash behind folders
	COMPREPLY=($(compgen "$1" -- "$cur"))
}
_ctrllint() {
	local rules='%s'
	local cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]} head=
	if [ "$cur" = = ]; then
		flag+='=' cur=
	elif [ "$flag" = = ]; then
		flag=${COMP_WORDS[COMP_CWORD-2]}=
	fi
	case $cur in *,*) head=${cur%%,*}, ;; esac
	if [ "$COMP_CWORD" -gt 1 ]; then
		case ${COMP_WORDS[1]} in
		help | explain) COMPREPLY=($(compgen -W "$rules" -- "$cur")); return ;;
		completion) COMPREPLY=($(compgen -W '%s' -- "$cur")); return ;;
		footprint)
			case ${flag/#--/-} in
%s
			esac
			case $cur in
			-*) COMPREPLY=($(compgen -W '%s' -- "${cur/#--/-}")) ;;
			*) _ctrllint_files -d ;;
			esac
			return ;;
		esac
	fi
	case ${flag/#--/-} in
%s
	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W '%s' -- "${cur/#--/-}")) ;;
	*) _ctrllint_files -d; [ "$COMP_CWORD" -eq 1 ] && COMPREPLY+=($(compgen -W '%s' -- "$cur")) ;;
	esac
}
complete -o nospace -F _ctrllint ctrllint
`, strings.Join(w.rules, " "), shellNames(), strings.Join(footprintValues, "\n"), strings.Join(footprintNames, " "), strings.Join(values, "\n"), strings.Join(names, " "), strings.Join(w.commands, " "))
}

// shellNames returns the shells that completion takes.
func shellNames() string { return strings.Join(slices.Sorted(maps.Keys(shells())), " ") }

// zshFlags writes what _arguments takes for flags.
func zshFlags(b *strings.Builder, flags []completed) {
	for _, f := range flags {
		_, usage := flag.UnquoteUsage(f.Flag)
		usage = strings.NewReplacer("[", "(", "]", ")", "'", "’", ":", " ").Replace(usage)
		spec := fmt.Sprintf("-%s=[%s]:", f.Name, usage) // the value is the next word, or stands behind =
		if !takesValue(f.Flag) {
			spec = fmt.Sprintf("-%s=-[%s]::", f.Name, usage) // behind = alone, if there is one
		}
		switch {
		case f.values != nil:
			spec += "value:(" + strings.Join(f.values, " ") + ")"
		case f.Name == "only":
			spec += "rule:_sequence compadd - $rules"
		case files[f.Name]:
			spec += "file:_files"
		default:
			spec += "value: "
		}
		fmt.Fprintf(b, "\t\t'%s' \\\n", spec)
	}
}

func zsh(w words) string {
	var b strings.Builder
	b.WriteString("#compdef ctrllint\n# ctrllint completion zsh > \"${fpath[1]}/_ctrllint\"\n_ctrllint() {\n")
	fmt.Fprintf(&b, "\tlocal curcontext=$curcontext state line\n\tlocal -A opt_args\n\tlocal -a rules=(%s)\n", strings.Join(w.rules, " "))
	b.WriteString("\tif [[ $words[2] = footprint ]]; then\n\t\t_arguments \\\n")
	zshFlags(&b, w.footprint)
	b.WriteString("\t\t'1: :(footprint)' '*:folder:_files -/'\n\t\treturn\n\tfi\n\t_arguments -C \\\n")
	zshFlags(&b, w.flags)
	fmt.Fprintf(&b, `		'1: :->first' '*: :->rest' && return
	case $state in
	first) _alternative 'commands:command:(%s)' 'folders:folder:_files -/' ;;
	rest)
		case $line[1] in
		help | explain) compadd -a rules ;;
		completion) compadd %s ;;
		*) _files -/ ;;
		esac ;;
	esac
}
if [ "$funcstack[1]" = _ctrllint ]; then _ctrllint "$@"; else compdef _ctrllint ctrllint; fi
`, strings.Join(w.commands, " "), shellNames())
	return b.String()
}

// fish returns the script for fish, which takes the text after the = of a flag with an optional value for a file
// name, unless the whole word is offered.
func fish(w words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# ctrllint completion fish > ~/.config/fish/completions/ctrllint.fish\nfunction __ctrllint_rules\n\tprintf '%%s\\n' %s\nend\n", strings.Join(w.rules, " "))
	fmt.Fprintf(&b, "complete -c ctrllint -n __fish_use_subcommand -a '%s'\n", strings.Join(w.commands, " "))
	b.WriteString("complete -c ctrllint -n '__fish_seen_subcommand_from help explain' -f -a '(__ctrllint_rules)'\n")
	fmt.Fprintf(&b, "complete -c ctrllint -n '__fish_seen_subcommand_from completion' -f -a '%s'\n", shellNames())
	b.WriteString(`function __ctrllint_value # of the flag $argv[1]: is the word at the cursor that flag with a =?
	string match -qr -- '^--?'(string escape --style=regex -- $argv[1])'=' (commandline -ct)
end
function __ctrllint_values # $argv, each behind that flag
	printf '%s\n' (string match -r -- '^[^=]*=' (commandline -ct))$argv
end
`)
	fishFlags(&b, w.flags, "not __fish_seen_subcommand_from footprint")
	fishFlags(&b, w.footprint, "__fish_seen_subcommand_from footprint")
	return b.String()
}

// fishFlags completes flags where condition holds.
func fishFlags(b *strings.Builder, flags []completed, condition string) {
	for _, f := range flags {
		_, usage := flag.UnquoteUsage(f.Flag)
		fmt.Fprintf(b, "complete -c ctrllint -n '%s' -o %s -d '%s'", condition, f.Name, strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(usage))
		switch {
		case !takesValue(f.Flag): // fish would take the next word for it
			fmt.Fprintf(b, "\ncomplete -c ctrllint -n '%s; and __ctrllint_value %s' -f -a '(__ctrllint_values %s)'", condition, f.Name, strings.Join(f.values, " "))
		case f.values != nil:
			fmt.Fprintf(b, " -x -a '%s'", strings.Join(f.values, " "))
		case f.Name == "only":
			b.WriteString(" -x -a '(__fish_complete_list , __ctrllint_rules)'")
		case files[f.Name]:
			b.WriteString(" -r")
		default:
			b.WriteString(" -x")
		}
		b.WriteByte('\n')
	}
}
