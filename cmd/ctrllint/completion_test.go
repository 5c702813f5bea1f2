package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// completions are lines that somebody types, before the TAB key, and the words that the command then gets.
var completions = []struct{ typed, words string }{
	{"-form", "-format"},
	{"-lockheld.s", "-lockheld.slow"},
	{"-format s", "-format sarif"},
	{"-format=h", "-format=html"},
	{"-severity e", "-severity error"},
	{"-severity=w", "-severity=warning"},
	{"-confidence c", "-confidence certain"},
	{"-deps au", "-deps auto"},
	{"-cache of", "-cache off"},
	{"-write-baseline=a", "-write-baseline=all"},
	{"-lockheld=f", "-lockheld=false"},
	{"-lockheld.slow=t", "-lockheld.slow=true"},
	{"-only lockheld/rel", "-only lockheld/relock"},
	{"-only lockheld/relock,startctx/lo", "-only lockheld/relock,startctx/loop"},
	{"-only=lockheld/relock,startctx/lo", "-only=lockheld/relock,startctx/loop"},
	{"-C pk", "-C pkg/"},
	{"-tests pk", "-tests pkg/"},
	{"pk", "pkg/"},
	{"expl", "explain"},
	{"explain lockheld/rel", "explain lockheld/relock"},
	{"explain lockheld startctx/lo", "explain lockheld startctx/loop"},
	{"help eventfilter/t", "help eventfilter/tombstone"},
	{"completion z", "completion zsh"},
	{"footpr", "footprint"},
	{"footprint -fail", "footprint -fail-on-new"},
	{"footprint -format m", "footprint -format md"},
	{"footprint -format=t", "footprint -format=text"},
	{"footprint -diff pk", "footprint -diff pkg/"},
	{"footprint -cache of", "footprint -cache off"},
	{"./... -write-bas", "./... -write-baseline"},
}

// TestCompletion has each shell complete lines at a terminal, as somebody who types sees it, by the script that the
// command prints for it.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("there is no " + shell + " here")
			}
			script, stderr, code := command(t, ".", tool, "completion", shell)
			if code != exitClean || stderr != "" {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
			dir := filetest.Module(t, map[string]string{"pkg/p.go": clean, "script": script})
			at := openTerminal(t, dir, shell)
			for _, c := range completions {
				got := at.enter(c.typed + "\t")
				if shell == "zsh" && strings.HasSuffix(c.words, "/") {
					got += "/" // zsh takes it away again at the end of a line
				}
				if got != c.words {
					t.Errorf("%s, and the TAB key: %q, want %q", c.typed, got, c.words)
				}
			}
		})
	}
	if _, stderr, code := command(t, ".", tool, "completion", "sh"); code != exitFailure || !strings.Contains(stderr, "bash, zsh or fish") {
		t.Errorf("an unknown shell: exit code %d, stderr %q", code, stderr)
	}
}

// terminal is a shell that somebody types into.
type terminal struct {
	t     *testing.T
	keys  io.Writer
	lines chan string
}

// What the shell is started with: a command that shows its words, and nothing that moves the cursor about.
var startup = map[string]struct{ file, text, run string }{
	"bash": {"rc", "bind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\n. ./script\n" + showWords, "bash --noprofile --rcfile rc -i"},
	"zsh":  {".zshrc", "autoload -Uz compinit\ncompinit -u -D\nunsetopt prompt_sp\n. ./script\n" + showWords, "zsh -i"},
	"fish": {"rc", "source script\nfunction ctrllint; echo; echo \"words: $argv.\"; end\nfunction fish_prompt; end\necho ready\n", "fish --no-config -i -C 'source rc'"},
}

const showWords = "ctrllint() { echo; echo \"words: $*.\"; }\nPS1=\necho ready\n"

// openTerminal starts the shell in dir, where its script lies. It skips t where there is no program for terminals.
func openTerminal(t *testing.T, dir, shell string) *terminal {
	t.Helper()
	if out, err := exec.Command("script", "--version").Output(); err != nil || !bytes.Contains(out, []byte("util-linux")) {
		t.Skip("there is no script of util-linux here, which makes a terminal")
	}
	with := startup[shell]
	filetest.Write(t, dir, map[string]string{with.file: with.text})
	cmd := exec.Command("script", "--quiet", "--command", with.run, os.DevNull)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb", "ZDOTDIR="+dir, "HOME="+dir, "SHELL=/bin/sh", "INPUTRC="+os.DevNull, "HISTFILE="+os.DevNull, "fish_history=")
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	at := &terminal{t, keys, make(chan string, 1000)}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			at.lines <- strings.TrimSpace(s.Text())
		}
		close(at.lines)
	}()
	t.Cleanup(func() {
		_ = keys.Close() // which ends the shell, so that it writes nothing any more into a folder that is being removed
		killing := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // how it ends is no news
		killing.Stop()
	})
	at.await("ready")
	return at
}

// enter types a line that begins with ctrllint, and gives the other words of what then runs.
func (at *terminal) enter(line string) string {
	at.t.Helper()
	fmt.Fprintf(at.keys, "ctrllint %s\r", line)
	words := strings.TrimPrefix(at.await("words: "), "words: ")
	return strings.TrimSpace(strings.TrimSuffix(words, "."))
}

// await gives the next line that begins so.
func (at *terminal) await(begin string) string {
	at.t.Helper()
	late := time.After(30 * time.Second)
	var seen []string
	for {
		select {
		case line, more := <-at.lines:
			if strings.HasPrefix(line, begin) {
				return line
			}
			if seen = append(seen, line); more {
				continue
			}
		case <-late:
		}
		at.t.Fatalf("the terminal shows no %q, but %q", begin, seen)
	}
}

// Where a line can be completed in several ways, all are offered.
func TestCompletionOffers(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here")
	}
	script, _, _ := command(t, ".", tool, "completion", "bash")
	dir := filetest.Module(t, map[string]string{"script": script, "clean/p.go": clean})
	for words, want := range map[string]string{
		"explain lockheld/":        "lockheld/blocking lockheld/leak lockheld/order lockheld/relock lockheld/slow",
		"-only startctx,lockheld/": "startctx,lockheld/blocking startctx,lockheld/leak startctx,lockheld/order startctx,lockheld/relock startctx,lockheld/slow",
		"-confidence ''":           "possible certain",
		"-severity ''":             "warning error",
		"-format = ''":             "text json sarif github html junit checkstyle codequality",
		"-format =":                "text json sarif github html junit checkstyle codequality",
		"--dep":                    "-deps",
		"footprint -format ''":     "text json md",
		"footprint -f":             "-fail-on-new -format",
		"footprint -diff g":        "go.mod",
		"footprint c":              "clean",
		"-tags x":                  "",
		"cl":                       "clean clean", // the folder, and the command
		"-C g":                     "go.mod",
	} {
		out, stderr, _ := command(t, dir, "bash", "-c", `. ./script; COMP_WORDS=(ctrllint `+words+`); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _ctrllint; echo "${COMPREPLY[*]}"`)
		if got := strings.TrimSpace(out); got != want || stderr != "" {
			t.Errorf("%s: %q, want %q (%s)", words, got, want, stderr)
		}
	}
}
