package load

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Unmatched returns failures for those of patterns that match no package, List having loaded so many; each pattern
// stands for a group of those in c. The go command only warns of them, and go/packages drops the warning.
func (c *Config) Unmatched(patterns []string, groups [][]string, loaded int) []string {
	list := func(flags ...string) *exec.Cmd {
		return c.command(slices.Concat([]string{"list"}, flags, c.flags(), []string{"--"}, c.Patterns)...)
	}
	if loaded == 0 { // there may be no module, or an unknown platform, of which the loader has no error
		for _, cmd := range []*exec.Cmd{list(), c.command("build", "-n", "unsafe")} {
			if out, err := cmd.CombinedOutput(); err != nil {
				return []string{strings.TrimSpace(string(out))}
			}
		}
	}
	isWildcard := func(p string) bool { return strings.Contains(p, "...") }
	if !slices.ContainsFunc(patterns, isWildcard) {
		return nil // a package path without a package is an error of its own
	}
	matched := make(map[string]bool)
	if loaded > 0 {
		if len(patterns) == 1 {
			return nil
		}
		out, err := list("-e", "-find", "-f", `{{range .Match}}{{println .}}{{end}}`).Output()
		if err != nil {
			return []string{"go list: " + err.Error()}
		}
		for line := range strings.Lines(string(out)) {
			matched[strings.TrimSpace(line)] = true
		}
	}
	var failures []string
	for i, p := range patterns {
		if isWildcard(p) && !slices.ContainsFunc(groups[i], func(p string) bool { return matched[p] }) {
			text := fmt.Sprintf("pattern %s matches no packages", p)
			if base, ok := strings.CutSuffix(p, "/..."); ok && !strings.HasPrefix(p, ".") && isDir(filepath.Join(c.Dir, base)) && !filepath.IsAbs(p) {
				text += fmt.Sprintf(": for those of the folder, use ./%s", p)
			}
			failures = append(failures, text)
		}
	}
	return failures
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
