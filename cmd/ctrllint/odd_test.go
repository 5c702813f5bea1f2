package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// busyLoop is a package with one finding that has a fix.
const busyLoop = "package loop\n\nimport \"context\"\n\nfunc run(ctx context.Context, c chan int) {\n\tfor {\n\t\tselect {\n\t\tcase <-ctx.Done():\n\t\t\tbreak\n\t\tcase <-c:\n\t\t}\n\t}\n}\n\n" +
	"func start(ctx context.Context, c, done chan int) {\n\tgo func() {\n\t\tdefer close(done)\n\t\trun(ctx, c)\n\t}()\n}\n\nvar _ = run\n"

const allOff = "-apimarkers=false -cachemutation=false -cachescope=false -churn=false -eventfilter=false -expectttl=false -finalizerorder=false -lockheld=false -losterror=false -optionalderef=false -requestobject=false -startctx=false -suppression=false -unboundedsync=false"

// TestOdd runs the program with command lines, files and surroundings that are wrong, or at least not what somebody
// means. Each time it says so in one line, which tells how it is said right, writes nothing, and leaves nothing
// running.
func TestOdd(t *testing.T) {
	t.Parallel()
	const (
		silence = ""
		bug     = `^main\.go:10:\d+: .* \(lockheld/relock\)\n(\t.*\n)*$`
	)
	store := map[string]string{"store/main.go": deadlock, "x.txt": "", "b.jsonl/x": ""}
	one := map[string]string{"main.go": deadlock}
	cgo := map[string]string{"p.go": "package p\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc F() int { return int(C.one()) }\n"}
	many := map[string]string{
		"a/a.go": "package a\n\nimport (\n\t_ \"example.org/x\"\n\t_ \"example.org/x/y\"\n\t_ \"github.com/foo/bar/pkg\"\n)\n",
		"b/b.go": "package b\n\nimport (\n\t_ \"example.org/x/y\"\n\t_ \"github.com/foo/bar/pkg/deep\"\n)\n",
	}
	broken := map[string]string{"main.go": deadlock, "old/p.go": "package p\n\nvar X int = \"\"\n", "missing/p.go": "package p\n\nimport _ \"example.org/x\"\n"}

	for _, test := range []struct {
		name   string
		files  map[string]string
		args   string // '' is an empty word
		env    string
		code   int
		stdout string
		stderr string // the one line without the name in front; empty for silence
	}{
		// Switches and values.
		{"a value behind a switch", one, "-tests false", "", 2, silence, `-tests false is read as the flag and a package false: write -tests=false \(see ctrllint help\)`},
		{"a value behind a rule", one, "-lockheld false .", "", 2, silence, `-lockheld false is read as .*: write -lockheld=false .*`},
		{"all behind a switch", one, "-baseline b -write-baseline all", "", 2, silence, `-write-baseline all is read as .*: write -write-baseline=all .*`},
		{"a format as a flag", one, "-json", "", 2, silence, `flag provided but not defined: -json \(use -format json; see ctrllint help\)`},
		{"two dashes", one, "--sarif .", "", 2, silence, `flag provided but not defined: -sarif \(use -format sarif; .*`},
		{"nearly a flag", one, "-formt json", "", 2, silence, `flag provided but not defined: -formt \(did you mean -format\? See ctrllint help\)`},
		{"nearly a rule", one, "-lokheld", "", 2, silence, `flag provided but not defined: -lokheld \(did you mean -lockheld\? .*`},
		{"nearly an option", one, "-lockheld.blokcs=a.B", "", 2, silence, `flag provided but not defined: -lockheld\.blokcs \(did you mean -lockheld\.blocks\? .*`},
		{"nearly nothing", one, "-xyzzy", "", 2, silence, `flag provided but not defined: -xyzzy \(see ctrllint help\)`},
		{"a flag without its value", one, "-format", "", 2, silence, `flag needs an argument: -format \(see ctrllint help\)`},
		{"a format that is none", one, "-format=xml", "", 2, silence, `unknown format "xml": text, json, sarif, .* or codequality \(see ctrllint help\)`},
		{"a diff as JSON", one, "-diff -format json", "", 2, silence, `-diff prints a diff instead of findings, so it cannot be combined with -format json .*`},
		{"a choice that is none", one, "-cache maybe", "", 2, silence, `invalid value "maybe" for flag -cache: want on or off .*`},
		{"a policy that is none", one, "-deps some", "", 2, silence, `invalid value "some" for flag -deps: .*`},
		{"a flag behind the packages", one, "./... -tests", "", 2, silence, `flag -tests comes after the packages: flags come first .*`},
		{"no rule left", one, allOff, "", 2, silence, `no rule to run: .*`},
		{"no rule left by the settings", map[string]string{"main.go": deadlock, ".ctrllint.yml": "disable: [apimarkers, cachemutation, cachescope, churn, eventfilter, expectttl, finalizerorder, lockheld, losterror, optionalderef, requestobject, startctx, suppression, unboundedsync]\n"}, "", "", 2, silence, `no rule to run: .*`},

		// What contradicts itself, or can report nothing.
		{"a rule alone, and off", one, "-only lockheld -lockheld=false", "", 2, silence, `-only lockheld and -lockheld=false contradict each other: remove one of them .*`},
		{"a rule alone, and off, the other way round", one, "-lockheld=false -only startctx,lockheld", "", 2, silence, `-only startctx,lockheld and -lockheld=false contradict each other: .*`},
		{"a sub-rule alone, and off", one, "-only lockheld/relock -lockheld.relock=false", "", 2, silence, `-only lockheld/relock and -lockheld\.relock=false contradict each other: .*`},
		{"a sub-rule alone, and another one", one, "-only lockheld/relock -lockheld.leak", "", 2, silence, `-only lockheld/relock and -lockheld\.leak=true contradict each other: .*`},
		{"a rule alone, and another one", one, "-only lockheld -startctx", "", 2, silence, `-only lockheld and -startctx contradict each other: use -only lockheld,startctx .*`},
		{"a sub-rule of a rule that is off", one, "-lockheld=false -lockheld.slow", "", 2, silence, `-lockheld\.slow enables lockheld/slow, but the rule lockheld does not run: .*`},
		{"a sub-rule of another rule", one, "-startctx -lockheld.slow", "", 2, silence, `-lockheld\.slow enables lockheld/slow, .*`},
		{"a warning, and errors alone", one, "-only lockheld/slow -severity error", "", 2, silence, `nothing to report: lockheld/slow is a warning, which -severity error excludes`},
		{"warnings, and errors alone by the settings", map[string]string{"main.go": deadlock, ".ctrllint.yml": "severity: error\n"}, "-only suppression", "", 2, silence, `nothing to report: suppression/noreason, suppression/unknown, suppression/unused are warnings, which .*`},
		{"a sub-rule of the nursery alone", one, "-only eventfilter/metadata", "", 2, silence, `nothing to report: all of eventfilter/metadata is in the nursery \(-nursery enables it\)`},
		{"no sub-rule left", one, "-only suppression -suppression.unused=false -suppression.unknown=false -suppression.noreason=false", "", 2, silence, `nothing to report: all checks are disabled, .*`},
		{"no name", one, "-only lockheld,", "", 2, silence, `invalid value "lockheld," for flag -only: want comma-separated names .*`},
		{"nearly a rule alone", one, "-only lockhed", "", 2, silence, `-only: unknown rule or check "lockhed": did you mean lockheld\? .*`},
		{"nearly a sub-rule alone", one, "-only relok", "", 2, silence, `-only: unknown rule or check "relok": did you mean lockheld/relock\? .*`},
		{"nothing like a rule alone", one, "-only xyzzy", "", 2, silence, `-only: unknown rule or check "xyzzy" \(see ctrllint help\)`},
		{"an option without its rule", one, "-slow", "", 2, silence, `flag provided but not defined: -slow \(did you mean -lockheld\.slow\? .*`},

		// Settings.
		{"nearly a rule in the settings", map[string]string{"main.go": deadlock, ".ctrllint.yml": "disable: [lockhed]\n"}, "", "", 2, silence, `\.ctrllint\.yml:1: disable\[0\]: unknown value "lockhed": did you mean lockheld\?`},
		{"nearly a key in the settings", map[string]string{"main.go": deadlock, ".ctrllint.yml": "exlude: [x]\n"}, "", "", 2, silence, `\.ctrllint\.yml:1: unknown key "exlude": did you mean exclude\?`},
		{"nearly an option in the settings", map[string]string{"main.go": deadlock, ".ctrllint.yml": "options: {lockheld: {block: [a.B]}}\n"}, "", "", 2, silence, `\.ctrllint\.yml:1: options\.lockheld: unknown key "block": did you mean blocks\?`},
		{"a rule on and off", map[string]string{"main.go": deadlock, ".ctrllint.yml": "enable: [lockheld]\ndisable: [lockheld]\n"}, "", "", 2, silence, `\.ctrllint\.yml:2: disable\[0\]: "lockheld" is also in enable: keep one of them`},
		{"a sub-rule off, and on as an option", map[string]string{"main.go": deadlock, ".ctrllint.yml": "options: {lockheld: {slow: true}}\ndisable: [lockheld/slow]\n"}, "", "", 2, silence, `\.ctrllint\.yml:1: options\.lockheld\.slow: true here, but false by enable or disable: keep one of them`},
		{"a sub-rule left out, and on as an option", map[string]string{"main.go": deadlock, ".ctrllint.yml": "enable: [lockheld/relock]\noptions: {lockheld: {leak: true}}\n"}, "", "", 2, silence, `\.ctrllint\.yml:2: options\.lockheld\.leak: true here, .*`},

		// Commands.
		{"nearly a command", one, "explian lockheld", "", 2, silence, `explian is neither a command nor a package: did you mean ctrllint explain\?`},
		{"a command behind a flag", one, "-q init", "", 2, silence, `init is a command and comes first: ctrllint init, then its flags`},
		{"nearly a command, and a folder", map[string]string{"clen/main.go": deadlock}, "clen", "", 2, silence, `package clen is not in std .*: for the folder, use \./clen`},

		// Packages and files.
		{"an empty word", one, "''", "", 2, silence, `one of the packages is an empty string: use \./\.\.\. for all packages`},
		{"a file that is not there", store, "store/nope.go", "", 2, silence, `store/nope\.go: no such file`},
		{"a file that is no Go", store, "x.txt", "", 2, silence, `x\.txt is not a Go file: packages are named by their folders, as in \./\.\.\. for all of them`},
		{"a folder without ./", store, "store", "", 2, silence, `package store is not in std .*: for the folder, use \./store`},
		{"a tree without ./", store, "store/...", "", 2, silence, `pattern store/\.\.\. matches no packages: for those of the folder, use \./store/\.\.\.`},
		{"a folder that is not there", store, "./nowhere", "", 2, silence, `.*nowhere.*`},
		{"a tree that is not there", store, "./nowhere/...", "", 2, silence, `pattern \./nowhere/\.\.\.: .*no such file or directory`},
		{"a folder without Go files", store, "./b.jsonl", "", 2, silence, `.*no Go files in .*b\.jsonl`},
		{"tests only", map[string]string{"p_test.go": "package p\n"}, "", "", 0, silence, `note: not analysed, because they contain only tests: example\.com/m \(-tests analyses them\)`},
		{"a folder of tests beside another one", map[string]string{"t/p_test.go": "package p\n", "main.go": deadlock}, "./t .", "", 1, bug, `note: not analysed, because they contain only tests: example\.com/m/t \(-tests analyses them\)`},
		{"-C to nowhere", store, "-C nowhere", "", 2, silence, `-C nowhere: no such file or directory`},
		{"-C to a file", store, "-C x.txt", "", 2, silence, `-C x\.txt: not a folder`},
		{"-affected with a folder", store, "-affected ./store", "", 2, silence, `-affected takes files, as listed by git diff --name-only, but \./store names packages`},
		{"-affected with a pattern", store, "-affected ./...", "", 2, silence, `-affected takes files, .* but \./\.\.\. names packages`},
		{"-affected with nothing", store, "-affected", "", 0, silence, `note: -affected names no files: nothing is analysed`},
		{"-affected by another file", store, "-affected x.txt", "", 0, silence, `note: nothing is analysed: no package has x\.txt`},
		{"-exclude of nothing", one, "-exclude none/...", "", 1, bug, `note: -exclude: nothing matches none`},
		{"-exclude that is no pattern", one, "-exclude a...", "", 2, silence, `invalid value "a\.\.\." for flag -exclude: bad pattern "a\.\.\.": \.\.\. stands at the end.*`},
		{"-exclude of what cannot be analysed", broken, "-exclude ./old/...,missing", "", 1, bug, `note: not analysed, or without their imports, and ignored because they are excluded: example\.com/m/missing, example\.com/m/old`},

		// Builds.
		{"a platform that is none", one, "-matrix linux/amd65", "", 2, silence, `unsupported GOOS/GOARCH pair linux/amd65 \(go tool dist list names those there are\) \[linux/amd65\]`},
		{"a compiler that is not there", cgo, "", "CGO_ENABLED=1 CC=ctrllint-has-no-cc", 2, silence, `example\.com/m: cgo: C compiler "ctrllint-has-no-cc" not found: .* \(set CC, or CGO_ENABLED=0 to exclude files that import C\)`},
		{"cgo that is off", cgo, ".", "CGO_ENABLED=0", 2, silence, `example\.com/m: build constraints exclude all Go files in .*: they import C, but cgo is off \(it needs CGO_ENABLED=1 .*`},
		{"modules that are not there", many, "", "", 2, silence, `2 packages not fully analysed, because 2 modules could not be found: example\.org/x, github\.com/foo/bar \(run go mod tidy; -debug lists all\)`},
		{"modules that are not there, named in go.mod", withGoMod(many, "module example.com/m\n\ngo 1.26\n\nrequire (\n\texample.org/x v1.0.0\n\tgithub.com/foo/bar/pkg v1.0.0\n)\n"), "", "", 2, silence, `2 packages not fully analysed, because 2 modules could not be found: example\.org/x, github\.com/foo/bar/pkg \(run go mod download; .*`},
		{"a go.mod that does not parse", withGoMod(one, "modul example.com/m\n"), "", "", 2, silence, `.*go\.mod:1: unknown directive: modul`},
		{"a language of the future", withGoMod(one, "module example.com/m\n\ngo 1.999\n"), "", "GOTOOLCHAIN=local", 2, silence, `.*go\.mod requires go >= 1\.999 .*`},

		// Modules.
		{"no module", map[string]string{"go.mod": noFile, "main.go": deadlock}, "", "", 2, silence, `pattern \./\.\.\.: no go\.mod in its folder or a parent: run ctrllint in a module, or set its folder with -C`},
		{"a file of no module", map[string]string{"go.mod": noFile, "main.go": deadlock}, "main.go", "", 1, bug, ""},
		{"a file of no module that does not parse", map[string]string{"go.mod": noFile, "main.go": "package main\nfunc"}, "main.go", "", 2, silence, `main\.go:2:5: expected '\(', found 'EOF'`},
		{"an empty module", nil, "", "", 2, silence, `pattern \./\.\.\. matches no packages`},
		{"a pattern of another module", map[string]string{"a/go.mod": "module example.com/a\n\ngo 1.26\n", "b/go.mod": "module example.com/b\n\ngo 1.26\n", "b/b.go": clean}, "-C a ../b/*...", "", 2, silence, `pattern \.\./b/\*\.\.\.: its folder is in another module: set that with -C, or list both in a go\.work`},
		{"a module that the workspace leaves out", workspaceOf("./a"), "-C b", "GOWORK= GOFLAGS=", 2, silence, `pattern \./\.\.\.: its module is not in go\.work: go work use adds it, GOWORK=off ignores go\.work`},
		{"a package that the workspace leaves out", workspaceOf("./a"), "-C b .", "GOWORK= GOFLAGS=", 2, silence, `current directory is .* not one of the workspace modules listed in go\.work\. You can add the module to the workspace using: go work use \.`},
		{"a workspace with a module that is gone", workspaceOf("./gone"), "-C a", "GOWORK= GOFLAGS=", 2, silence, `cannot load module \.\./gone listed in go\.work file: .*`},
		{"flags that no workspace takes", workspaceOf("./a"), "-C a", "GOWORK=", 2, silence, `-mod may only be set to readonly or vendor when in workspace mode, but it is set to "mod" Remove the -mod flag .* disable workspace mode\.`},
		{"a workspace that does not parse", workspaceOf("./a ./b"), "", "GOWORK=", 2, silence, `go\.work:3: usage: use local/dir`},
		{"a vendor folder that is not there", withGoMod(one, "module example.com/m\n\ngo 1.26\n\nrequire (\n\texample.org/x v1.0.0\n\texample.org/y v1.0.0\n)\n"), "", "GOFLAGS=-mod=vendor", 2, silence, `the folder vendor does not match go\.mod: example\.org/x@v1\.0\.0, example\.org/y@v1\.0\.0 \(go mod vendor updates it, GOFLAGS=-mod=mod ignores it\)`},
		{"a package that no module has", one, "example.org/x", "GOFLAGS=", 2, silence, `no required module provides package example\.org/x; to add it: go get example\.org/x`},
		{"no go command", one, "", "PATH=/nowhere", 2, silence, `no go command on the PATH; it is needed to list the packages`},

		// Sources.
		{"an empty file", map[string]string{"p.go": ""}, "", "", 2, silence, `.*p\.go:1:1: expected 'package', found 'EOF'`},
		{"a file of zeroes", map[string]string{"p.go": "\x00\x00\x00"}, "", "", 2, silence, `.*p\.go: unexpected NUL in input`},
		{"two packages in a folder", map[string]string{"a.go": "package a\n", "b.go": "package b\n"}, "", "", 2, silence, `.*found packages a \(a\.go\) and b \(b\.go\) in .*`},
		{"a cycle of imports", map[string]string{"a/a.go": "package a\n\nimport _ \"example.com/m/b\"\n", "b/b.go": "package b\n\nimport _ \"example.com/m/a\"\n"}, "./a", "", 2, silence, `.*import cycle not allowed.*`},

		// Files of ours.
		{"a folder for settings", map[string]string{"main.go": deadlock, ".ctrllint.yml/x": ""}, "", "", 2, silence, `.*\.ctrllint\.yml is a folder, not a settings file: rename it, or use -config off .*`},
		{"settings that do not parse", map[string]string{"main.go": deadlock, ".ctrllint.yml": "enable: [\n"}, "", "", 2, silence, `\.ctrllint\.yml:.*`},
		{"settings that are not there", one, "-config nope.yml", "", 2, silence, `open nope\.yml: no such file or directory .*`},
		{"a baseline in no folder", one, "-baseline nope/dir/b.jsonl -write-baseline", "", 2, silence, `baseline nope/dir/b\.jsonl: its folder is not writable: no such file or directory`},
		{"a baseline that is a folder", store, "-baseline b.jsonl", "", 2, silence, `baseline read b\.jsonl: is a directory`},
		{"a baseline that is not there", one, "-baseline b.jsonl", "", 2, silence, `baseline b\.jsonl: no such file \(-write-baseline creates it\)`},
		{"a baseline without a name", one, "-write-baseline", "", 2, silence, `-write-baseline needs -baseline FILE`},
		{"a profile in no folder", one, "-cpuprofile nope/cpu", "", 2, silence, `open nope/cpu: no such file or directory`},
		{"a revision without a repository", one, "-new-from main", "GIT_CEILING_DIRECTORIES=/", 2, silence, `-new-from: .*not a git repository.*`},
		{"a cache that is relative", one, "", cacheVariable + "=cache", 1, bug, `warning: results are not cached: CTRLLINT_CACHE=cache is neither off nor an absolute path`},
		{"nothing to fix", one, "-fix", "", 1, bug, `nothing fixed, 1 has no fix`},

		// Words.
		{"a sub-rule without its rule", one, "explain relok", "", 2, silence, `unknown rule "relok": try ctrllint explain lockheld/relock`},
		{"a rule that is none", one, "explain lokheld/relock", "", 2, silence, `unknown rule "lokheld/relock": try ctrllint explain lockheld/relock`},
		{"a sub-rule that is none", one, "explain lockheld/relok", "", 2, silence, `unknown rule "lockheld/relok": try ctrllint explain lockheld/relock`},
		{"help for nothing", one, "help xyzzy", "", 2, silence, `unknown rule "xyzzy" \(see ctrllint help\)`},
		{"help for a sub-rule", one, "help lockheld/relock", "", 0, `^lockheld/relock\n`, ""},
		{"explain a sub-rule", one, "explain relock", "", 2, silence, `unknown rule "relock": try ctrllint explain lockheld/relock`},
		{"help for a command", one, "help version", "", 0, `Exit codes:`, ""},
		{"the version as a word", one, "version", "", 0, `^ctrllint \S+ go1\.`, ""},
		{"a shell that is unknown", one, "completion powershell", "", 2, silence, `completion: name a shell: bash, zsh or fish`},
		{"packages for flags", one, "flags ./...", "", 2, silence, `flags takes only -C and -config, no packages: \./\.\.\. .*`},
		{"nearly a flag of flags", one, "flags -confg x", "", 2, silence, `flag provided but not defined: -confg \(did you mean -config\? .*`},
		{"an argument for clean", one, "clean everything", "", 2, silence, `clean: takes no arguments`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filetest.Module(t, test.files)
			if test.files["go.mod"] == noFile {
				if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
					t.Fatal(err)
				}
			}
			args := strings.Fields(test.args)
			for i, a := range args {
				if a == "''" {
					args[i] = ""
				}
			}
			stdout, stderr, code := untouched(t, dir, strings.Fields(test.env), args...)
			if test.stderr != "" {
				test.stderr = "^ctrllint: " + test.stderr + "\n$"
			}
			if code != test.code || !matches(test.stdout, stdout) || !matches(test.stderr, stderr) || strings.Count(stderr, "\n") > 1 {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s", code, test.code, stdout, test.stdout, stderr, test.stderr)
			}
		})
	}
}

// noFile is the content of a go.mod that is not there.
const noFile = "none"

// workspaceOf is two modules, a and b, and a go.work that uses what it is told.
func workspaceOf(use string) map[string]string {
	files := map[string]string{"go.mod": noFile, "go.work": "go 1.26\n\nuse " + use + "\n"}
	for _, name := range []string{"a", "b"} {
		files[name+"/go.mod"] = "module example.com/" + name + "\n\ngo 1.26\n"
		files[name+"/"+name+".go"] = clean
	}
	return files
}

// withGoMod is files with another go.mod.
func withGoMod(files map[string]string, content string) map[string]string {
	out := maps.Clone(files)
	out["go.mod"] = content
	return out
}

// marker is a variable of the environment by which what a run has started is found.
const marker = "CTRLLINT_TEST_RUN"

// untouched runs the program in dir, and checks that it has written nothing there, and that nothing that it has
// started is left. There is no network.
func untouched(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	before := tree(t, dir)
	mark := marker + "=" + filepath.Base(filepath.Dir(dir)) + filepath.Base(dir) + strings.ReplaceAll(t.Name(), " ", "_")
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTELEMETRY=off", "LC_ALL=C", "PWD=" + dir, mark}, env)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if after := tree(t, dir); before != after {
		t.Errorf("the files were\n%s\nand are\n%s", before, after)
	}
	if runtime.GOOS == "linux" && !eventuallyNone(func() []string { return running(mark) }) {
		t.Errorf("still running: %q", running(mark))
	}
	return out.String(), unsummed(errs.String()), cmd.ProcessState.ExitCode()
}

func eventuallyNone(list func() []string) bool {
	for range 100 {
		if len(list()) == 0 {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// running are the processes with mark in their environment.
func running(mark string) (out []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		env, err := os.ReadFile(name)
		if err == nil && slices.Contains(strings.Split(string(env), "\x00"), mark) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			out = append(out, string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return out
}

// tree describes all files below dir.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", strings.TrimPrefix(name, dir), info.Mode())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %v %q", info.ModTime().UnixNano(), content)
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFixOdd runs -fix and -diff where not all can be written, or not in the usual form.
func TestFixOdd(t *testing.T) {
	t.Parallel()
	crlf := strings.ReplaceAll(busyLoop, "\n", "\r\n")
	fixed := func(src string) string { return strings.Replace(src, "break", "return", 1) }
	mess := strings.Replace(busyLoop, "var _ = run\n", "var   _  =   run", 1)
	for _, test := range []struct {
		name   string
		source string
		spoil  func(dir string) error // behind the checkout
		args   string
		code   int
		stderr string
		want   string // of loop/loop.go
	}{
		{"usual", busyLoop, nil, "-fix", 0, `1 finding fixed in 1 file`, fixed(busyLoop)},
		{"ends of Windows", crlf, nil, "-fix", 0, `1 finding fixed in 1 file`, fixed(crlf)},
		{"not formatted, no newline", mess, nil, "-fix", 0, `1 finding fixed in 1 file`, fixed(mess)},
		{"a link", busyLoop, func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, "loop.go"), filepath.Join(dir, "behind.txt")), os.Symlink("behind.txt", filepath.Join(dir, "loop.go")))
		}, "-fix", 0, `1 finding fixed in 1 file`, fixed(busyLoop)},
		{"read-only", busyLoop, func(dir string) error { return os.Chmod(filepath.Join(dir, "loop.go"), 0o444) }, "-fix", 2, `nothing fixed\nctrllint: loop/loop\.go: not fixed: the file is read-only`, busyLoop},
		{"a mode", busyLoop, func(dir string) error { return os.Chmod(filepath.Join(dir, "loop.go"), 0o660) }, "-fix", 0, `1 finding fixed in 1 file`, fixed(busyLoop)},
		{"a diff", busyLoop, nil, "-diff", 1, `1 finding fixed by changes of 1 file`, busyLoop},
		{"a diff, ends of Windows", crlf, nil, "-diff", 1, `1 finding fixed by changes of 1 file`, crlf},
		{"a diff, no newline", mess, nil, "-diff", 1, `1 finding fixed by changes of 1 file`, mess},
		{"a diff, format of the settings", busyLoop, func(dir string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(dir), ".ctrllint.yml"), []byte("format: json\n"), 0o644)
		}, "-diff", 1, `1 finding fixed by changes of 1 file`, busyLoop},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filetest.Module(t, map[string]string{"loop/loop.go": test.source})
			name := filepath.Join(dir, "loop", "loop.go")
			if test.spoil != nil {
				if err := test.spoil(filepath.Join(dir, "loop")); err != nil {
					t.Fatal(err)
				}
			}
			before, err := os.Lstat(name)
			if err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := command(t, dir, tool, strings.Fields(test.args)...)
			if code != test.code || !regexp.MustCompile("^ctrllint: "+test.stderr+"\n$").MatchString(stderr) {
				t.Errorf("exit code %d, want %d\nstdout %q\nstderr %q\nwant   %s", code, test.code, stdout, stderr, test.stderr)
			}
			if got := read(t, dir, "loop/loop.go"); got != test.want {
				t.Errorf("the file is %q, want %q", got, test.want)
			}
			if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
				t.Errorf("the mode was %v and is %v (%v)", before.Mode(), after.Mode(), err)
			}
			if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
				t.Errorf("%v is left in the folder (%v)", entries, err)
			}
			if test.args == "-diff" {
				applies(t, dir, stdout)
				if got := read(t, dir, "loop/loop.go"); got != fixed(test.source) {
					t.Errorf("git apply makes of the file %q, want %q", got, fixed(test.source))
				}
			}
		})
	}
}

// What is printed and cannot be written is an error, whoever prints.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	dir := filetest.Module(t, map[string]string{"main.go": deadlock, ".ctrllint.yml": "disable: [startctx]\n"})
	for _, args := range []string{"", "-format html", "-q -format json", "help", "-h", "version", "-version", "flags", "explain lockheld", "completion fish"} {
		cmd := exec.Command(tool, strings.Fields(args)...)
		cmd.Dir, cmd.Env, cmd.Stdout = dir, append(os.Environ(), "GOWORK=off"), full
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run() // the exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != exitFailure || !regexp.MustCompile(`^ctrllint: write /dev/stdout: .*\n$`).MatchString(stderr.String()) {
			t.Errorf("ctrllint %s: exit code %d, stderr %q", args, code, &stderr)
		}
	}
}

// applies hands a diff to git apply in dir.
func applies(t *testing.T, dir, diff string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	cmd := exec.Command(git, "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("git apply: %v\n%s\n%s", err, out, diff)
	}
}

// Of concurrent runs of -fix one makes the fix; each other one says why it did not, or finds nothing to fix.
func TestFixTogether(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"loop/loop.go": busyLoop})
	type outcome struct {
		stderr string
		code   int
	}
	done := make(chan outcome)
	const runs = 4
	for range runs {
		go func() {
			cmd := exec.Command(tool, "-fix")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
			var errs bytes.Buffer
			cmd.Stderr = &errs
			_ = cmd.Run() // the exit code is looked at
			done <- outcome{unsummed(errs.String()), cmd.ProcessState.ExitCode()}
		}()
	}
	made := 0
	for range runs {
		switch o := <-done; {
		case o.code == exitClean && o.stderr == "ctrllint: 1 finding fixed in 1 file\n":
			made++
		case o.code == exitClean && o.stderr == "":
		case o.code == exitFailure && strings.HasSuffix(o.stderr, ": run again\n"):
		default:
			t.Errorf("exit code %d, %q", o.code, o.stderr)
		}
	}
	if got := read(t, dir, "loop/loop.go"); made != 1 || got != strings.Replace(busyLoop, "break", "return", 1) {
		t.Errorf("fixed %d times, and the file is %q", made, got)
	}
}

// A dependency that is named is analysed, whether it lies in a vendor folder or in the module cache, and is not
// written to.
func TestNamedDependency(t *testing.T) {
	t.Parallel()
	bugs := map[string]string{"each.go": strings.Replace(strings.Replace(deadlock, "package main", "package each", 1), "func main()", "func Main()", 1), "loop.go": strings.Replace(busyLoop, "package loop", "package each", 1)}
	user := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n\nrequire example.com/each v1.0.0\n", "p.go": "package m\n\nimport _ \"example.com/each\"\n",
		"vendor/modules.txt": "# example.com/each v1.0.0\n## explicit; go 1.26\nexample.com/each\n",
	}
	proxy := map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": "module example.com/each\n\ngo 1.26\n",
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, content := range withGoMod(bugs, proxy["v1.0.0.mod"]) {
		w, err := z.Create("example.com/each@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
		user["vendor/example.com/each/"+name] = content
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	proxy["v1.0.0.zip"] = archive.String()
	dir, served, cache := filetest.Module(t, user), t.TempDir(), t.TempDir()
	filetest.Write(t, filepath.Join(served, "example.com/each/@v"), proxy)
	fromCache := []string{"GOFLAGS=-mod=mod -modcacherw", "GOPROXY=file://" + filepath.ToSlash(served), "GOSUMDB=off", "GOMODCACHE=" + cache}
	download := exec.Command("go", "mod", "download", "example.com/each")
	download.Dir, download.Env = dir, slices.Concat(os.Environ(), []string{"GOWORK=off"}, fromCache)
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cached := tree(t, cache)
	for where, env := range map[string][]string{"vendor": {"GOFLAGS=-mod=vendor"}, "cache": fromCache} {
		for _, flag := range []string{"-fix=false", "-fix"} {
			stdout, stderr, code := untouched(t, dir, env, flag, "example.com/each")
			if code != exitFindings || !strings.Contains(stdout, "each.go:10:") || !strings.Contains(stdout, "loop.go:8:") || stderr != "" && flag != "-fix" {
				t.Errorf("%s, %s: exit code %d, stdout %q, stderr %q", where, flag, code, stdout, stderr)
			}
		}
	}
	if cached != tree(t, cache) {
		t.Error("the module cache was written to")
	}
}
