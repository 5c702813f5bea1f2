//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/sariftest"
)

// An action is what the test knows of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Run, Uses string
			Dir             string `yaml:"working-directory"`
			Env             map[string]string
		}
	}
}

// TestAction runs the steps of action.yml that are scripts, as the runner of GitHub Actions does.
func TestAction(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir() // ctrllint is installed there once
	for name, test := range map[string]struct {
		source string
		inputs map[string]string
		code   int
		log    []string
	}{
		"uploaded":      {bug, nil, 1, []string{"\tstore/store.go:17:11: s.mu is locked here", "!::error"}},
		"not uploaded":  {bug, map[string]string{"upload": "false"}, 1, []string{"::error file=m/store/store.go,line=19,", "s.mu (locked at line 17)"}},
		"flags":         {bug, map[string]string{"upload": "false", "args": "-lockheld=false -tests"}, 0, []string{"!::error"}},
		"clean":         {clean, nil, 0, []string{"!store.go"}},
		"not a package": {"package store\n\nvar x int = nothing\n", nil, 2, []string{"undefined: nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			workspace := t.TempDir()
			must(t, workspace, nil, "git", "init", "-q")
			filetest.Write(t, workspace, map[string]string{"m/go.mod": "module example.com/m\n\ngo 1.26\n", "m/store/store.go": test.source})
			inputs := map[string]string{"working-directory": "m"}
			for key, value := range test.inputs {
				inputs[key] = value
			}
			r := a.run(t, workspace, temp, inputs)
			r.wants(t, test.code, test.log...)
			log, err := os.ReadFile(filepath.Join(workspace, "ctrllint.sarif"))
			if err != nil {
				t.Fatal(err)
			}
			sariftest.Valid(t, log)
		})
	}
}

// run runs the scripts one after the other until one fails, and gives what they print and the code of the last one.
func (a *action) run(t *testing.T, workspace, temp string, inputs map[string]string) result {
	t.Helper()
	for key, input := range a.Inputs {
		if _, ok := inputs[key]; !ok {
			inputs[key] = input.Default
		}
	}
	output := filepath.Join(t.TempDir(), "output")
	var all result
	for _, step := range a.Runs.Steps {
		if step.Uses != "" {
			continue // another action
		}
		env := []string{"RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + output}
		for key, value := range step.Env {
			env = append(env, key+"="+expand(t, value, inputs, workspace, output))
		}
		dir := filepath.Join(workspace, expand(t, step.Dir, inputs, workspace, output))
		r := run(t, dir, env, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		all.out += r.out
		if all.code = r.code; r.code != 0 {
			break
		}
	}
	return all
}

var (
	expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)
	choice     = regexp.MustCompile(`^inputs\.(\S+) == '(.*)' && '(.*)' \|\| '(.*)'$`)
)

// expand puts values in the place of the expressions that action.yml has.
func expand(t *testing.T, text string, inputs map[string]string, workspace, output string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(whole string) string {
		e := expression.FindStringSubmatch(whole)[1]
		if c := choice.FindStringSubmatch(e); c != nil {
			if inputs[c[1]] == c[2] {
				return c[3]
			}
			return c[4]
		}
		if input, ok := strings.CutPrefix(e, "inputs."); ok {
			if value, ok := inputs[input]; ok {
				return value
			}
		}
		switch e {
		case "github.action_path":
			return root
		case "github.workspace":
			return workspace
		case "steps.run.outputs.code":
			data, err := os.ReadFile(output)
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimPrefix(strings.TrimSpace(string(data)), "code=")
		}
		t.Fatalf("action.yml has the expression %q, which this test does not know", e)
		return ""
	})
}
