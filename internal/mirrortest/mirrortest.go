// Package mirrortest makes mirrors for tests, as package mirror takes trees from.
package mirrortest

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// Make makes a folder of mirrors with one of repo, which is owner/name, in which commits come one after the other,
// each with these files on top of those before; a text of the form "-> target" makes a link. It returns the folder
// and the commits.
func Make(t *testing.T, repo string, commits ...map[string]string) (mirrors string, shas []string) {
	t.Helper()
	mirrors = t.TempDir()
	gitDir, work := filepath.Join(mirrors, strings.ReplaceAll(repo, "/", "+"), "repo"), t.TempDir()
	if err := os.MkdirAll(filepath.Dir(gitDir), 0o755); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{
			"--git-dir", gitDir, "--work-tree", work, "-c", "user.name=n", "-c", "user.email=e@example.com",
		}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for _, files := range commits {
		plain := maps.Clone(files)
		for name, text := range files {
			to, ok := strings.CutPrefix(text, "-> ")
			if !ok {
				continue
			}
			delete(plain, name)
			link := filepath.Join(work, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(to, link)); err != nil {
				t.Fatal(err)
			}
		}
		filetest.Write(t, work, plain)
		git("add", "-A")
		git("commit", "-q", "-m", "one more")
		shas = append(shas, git("rev-parse", "HEAD"))
	}
	return mirrors, shas
}
