package load

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Unmatched says which of patterns name no package, where List gave so many; each pattern stands for a group of those in
// c. The go command only warns of those, and go/packages drops the warning, so with several patterns the go command has
// to be asked once more.
func (c *Config) Unmatched(patterns []string, groups [][]string, loaded int) []string {
	list := func(flags ...string) *exec.Cmd {
		return c.command(slices.Concat([]string{"list"}, flags, c.flags(), []string{"--"}, c.Patterns)...)
	}
	if loaded == 0 { // the loader says nothing where there is no module at all, and of a platform that Go does not know
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
