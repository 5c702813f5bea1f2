//go:build e2e

package e2e

import (
	"os/exec"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestPreCommit commits into a repository that has ctrllint's hooks, taken from this one as it is committed.
func TestPreCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("there is no pre-commit here")
	}
	rev := must(t, root, nil, "git", "rev-parse", "HEAD")
	home := t.TempDir() // hooks are built once for both cases
	for _, hook := range []string{"ctrllint", "ctrllint-vet"} {
		t.Run(hook, func(t *testing.T) {
			dir := filetest.Module(t, map[string]string{
				"clean/clean.go": clean,
				"old/old.go":     bug, // was there before the hook, and is nobody's business today
				"user/user.go":   "package user\n\nimport _ \"example.com/m/clean\"\n",
				".pre-commit-config.yaml": "repos:\n- repo: " + root + "\n  rev: " + rev +
					"  hooks:\n  - id: " + hook + "\n",
			})
			env := []string{
				"PRE_COMMIT_HOME=" + home, "GIT_AUTHOR_NAME=e2e", "GIT_AUTHOR_EMAIL=e2e@example.com",
				"GIT_COMMITTER_NAME=e2e", "GIT_COMMITTER_EMAIL=e2e@example.com",
			}
			must(t, dir, env, "git", "init", "-q")
			must(t, dir, env, "git", "add", "-A")
			must(t, dir, env, "git", "commit", "-q", "-m", "before the hook")
			must(t, dir, env, "pre-commit", "install")

			filetest.Write(t, dir, map[string]string{"clean/clean.go": clean + "\n// More is another one.\nconst More = 43\n"})
			must(t, dir, env, "git", "add", "-A")
			if hook == "ctrllint" { // go vet looks at the whole module
				run(t, dir, env, "git", "commit", "-m", "a clean change").wants(t, 0, "Passed", "!old.go")
			} else {
				run(t, dir, env, "git", "commit", "--no-verify", "-m", "a clean change").wants(t, 0)
			}

			filetest.Write(t, dir, map[string]string{"store/store.go": bug})
			must(t, dir, env, "git", "add", "-A")
			run(t, dir, env, "git", "commit", "-m", "a bug").wants(t, 1, "Failed", "store/store.go:19", "s.mu (locked at line 17)")
		})
	}
}
