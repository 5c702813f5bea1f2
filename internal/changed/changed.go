// Package changed asks git which lines of a working tree are new.
package changed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Lines are the lines of Go files that have changed since a revision.
type Lines struct {
	dir   string // the directory that names of files are relative to, without symbolic links
	root  string // of the working tree
	files map[string][]span
}

// span is a range of lines, with its ends.
type span struct{ first, last int }

// wholeFile is the span of a file that git does not know yet.
var wholeFile = span{1, 1 << 30}

// Since returns the lines that differ between the working tree around dir, with the files that git does not know and
// does not ignore, and the last commit that rev and HEAD have in common: what the branch has changed, not what others
// have changed on theirs meanwhile. Where lines were taken away, the two lines around the gap count as changed. It is
// an error when there is no git, no working tree, no such revision, or no common commit.
func Since(dir, rev string) (*Lines, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("there is no git to ask")
	}
	root, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	l := &Lines{dir: dir, root: filepath.FromSlash(strings.TrimSpace(root)), files: make(map[string][]span)}
	if _, err := git(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		return nil, fmt.Errorf("git knows no revision %q (a shallow clone has few)", rev)
	}
	base, err := git(dir, "merge-base", "--end-of-options", rev, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("%q and HEAD have no commit in common (a shallow clone may lack it)", rev)
	}
	// Everything that a user's configuration can change about the form of a diff is set here.
	diff, err := git(l.root, "-c", "core.quotePath=false", "diff", "--unified=0", "--inter-hunk-context=0", "--find-renames",
		"--text", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all",
		"--src-prefix=a/", "--dst-prefix=b/", strings.TrimSpace(base), "--", "*.go")
	if err != nil {
		return nil, err
	}
	if err := l.parse(diff); err != nil {
		return nil, err
	}
	untracked, err := git(l.root, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range strings.FieldsFunc(untracked, func(r rune) bool { return r == 0 }) {
		l.files[name] = []span{wholeFile}
	}
	return l, nil
}

// git returns what a git command writes.
func git(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(errs.String())
		if text == "" {
			text = err.Error()
		}
		return "", errors.New("git: " + strings.TrimPrefix(text, "fatal: "))
	}
	return out.String(), nil
}

// parse takes the changed lines of a diff without context.
func (l *Lines) parse(diff string) error {
	in := bufio.NewReader(strings.NewReader(diff))
	file := ""
	for {
		text, err := in.ReadString('\n')
		if text == "" {
			return nil
		}
		text = strings.TrimSuffix(text, "\n")
		switch {
		case strings.HasPrefix(text, "diff --git "):
			file = ""
		case strings.HasPrefix(text, "+++ "):
			name := unquote(strings.TrimSuffix(strings.TrimPrefix(text, "+++ "), "\t"))
			file, _ = strings.CutPrefix(name, "b/")
		case strings.HasPrefix(text, "@@ "):
			removed, added, s, ok := hunk(text)
			if !ok {
				return fmt.Errorf("git: a diff that cannot be read: %q", text)
			}
			if file != "" && file != "/dev/null" {
				l.files[file] = append(l.files[file], s)
			}
			// The lines themselves can look like anything above.
			for range removed + added {
				if _, err := in.ReadString('\n'); err != nil {
					return errors.New("git: a diff that ends within a change")
				}
			}
		}
		if err != nil {
			return nil
		}
	}
}

// hunk reads a line such as "@@ -3,2 +4 @@": how many lines follow, and which ones are changed now.
func hunk(text string) (removed, added int, s span, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return 0, 0, s, false
	}
	_, removed, ok1 := numbers(fields[1], "-")
	first, added, ok2 := numbers(fields[2], "+")
	if added == 0 { // the gap is behind line first
		return removed, added, span{first, first + 1}, ok1 && ok2
	}
	return removed, added, span{first, first + added - 1}, ok1 && ok2
}

// numbers reads "-3,2" or "-3", which is short for "-3,1".
func numbers(text, sign string) (first, count int, ok bool) {
	text, ok = strings.CutPrefix(text, sign)
	if n, _ := fmt.Sscanf(text, "%d,%d", &first, &count); n == 1 {
		count = 1
	} else if n == 0 {
		return 0, 0, false
	}
	return first, count, ok
}

// unquote undoes what git does to names with quotes, backslashes and control characters.
func unquote(name string) string {
	if len(name) < 2 || name[0] != '"' || name[len(name)-1] != '"' {
		return name
	}
	var out strings.Builder
	for i := 1; i < len(name)-1; i++ {
		c := name[i]
		if c != '\\' {
			out.WriteByte(c)
			continue
		}
		i++
		switch c = name[i]; c {
		case 'a', 'b', 't', 'n', 'v', 'f', 'r':
			out.WriteByte("\a\b\t\n\v\f\r"[strings.IndexByte("abtnvfr", c)])
		case '0', '1', '2', '3':
			var b byte
			for j := 0; j < 3 && i < len(name)-1; j++ {
				b = b<<3 | name[i] - '0'
				i++
			}
			i--
			out.WriteByte(b)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// Has reports whether one of the lines first to last of file has changed. The name of the file is relative to the
// directory that Since was given, or absolute.
func (l *Lines) Has(file string, first, last int) bool {
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.dir, path)
	}
	rel, err := filepath.Rel(l.root, path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(l.files[filepath.ToSlash(rel)], func(s span) bool {
		return s.first <= max(first, last) && first <= s.last
	})
}
