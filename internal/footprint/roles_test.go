package footprint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// write makes a folder with these files.
func write(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager
rules:
- apiGroups: [""]
  resources: [pods, pods/status]
  verbs: [get, list]
- apiGroups: [apps]
  resources:
  - deployments
  resourceNames: [own]
  verbs:
  - "*"
- nonResourceURLs: [/metrics]
  verbs: [get]
`
	clusterBinding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects:
- {kind: ServiceAccount, name: controller, namespace: system}
`
	namespaceBinding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: manager, namespace: system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects:
- {kind: ServiceAccount, name: controller, namespace: system}
`
	chart = `{{- $full := (include "chart.fullname" .) -}}
{{- if .Values.rbac }}
# {{ a comment }}
---
apiVersion: {{ .Values.api | default "rbac.authorization.k8s.io/v1" }}
kind: {{ if .Values.wide }}Cluster{{ end }}Role
metadata:
  name: {{ template "chart.fullname" $ }}-x
  labels:
    a: b
    {{- with .Values.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
rules:
{{- if .Values.secrets }}
- apiGroups: [""]
  resources: ["secrets"]
  verbs: [get{{ if .Values.list }}, list{{ end }}]
{{- end }}
- apiGroups: [""]
  resources: {{ toYaml .Values.resources | nindent 4 }}
  verbs: [watch]
---
apiVersion: rbac.authorization.k8s.io/v1
{{- if .Values.wide }}
kind: ClusterRoleBinding
{{- else }}
kind: RoleBinding
{{- end }}
metadata:
  {{ if not .Values.wide }}namespace: {{ .Release.Namespace }}{{ end }}
  name: x
roleRef:
  kind: {{ if .Values.wide }}ClusterRole{{ else }}Role{{ end }}
  name: {{ $full }}-x
subjects:
- name: "{{ .Values.account }}"
  kind: ServiceAccount
{{- end }}
`
	aggregated = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: part, labels: {aggregate: "true"}}
rules: [{apiGroups: [batch], resources: [jobs], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: "true"}}]}
rules: []
`
	service = `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: operator.v1}
spec:
  install:
    spec:
      clusterPermissions:
      - serviceAccountName: account
        rules: [{apiGroups: [""], resources: [nodes], verbs: [list]}]
      permissions:
      - serviceAccountName: account
        rules: [{apiGroups: [""], resources: [secrets], verbs: [list]}]
`
)

// A line is "file:line role scope groups resources names verbs subjects".
func grants(c *footprint.Cluster) (lines []string) {
	for _, g := range c.Grants {
		scope := "cluster"
		if g.Namespaced {
			scope = "in " + g.Namespace
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %q %s %s %s by %s", g.File, g.Role, scope, g.Groups, g.Resources, g.Names, g.Verbs, g.Subjects))
	}
	return lines
}

func TestManifests(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a role without a binding", map[string]string{"role.yaml": role}, nil},
		{"bindings in two scopes", map[string]string{"a/role.yaml": "# comment\n---\n" + role, "b.yml": clusterBinding + "---" + namespaceBinding}, []string{
			`a/role.yaml:8 manager cluster [""] [pods pods/status] [] [get list] by [controller]`,
			`a/role.yaml:11 manager cluster ["apps"] [deployments] [own] [*] by [controller]`,
			`a/role.yaml:8 manager in system [""] [pods pods/status] [] [get list] by [controller]`,
			`a/role.yaml:11 manager in system ["apps"] [deployments] [own] [*] by [controller]`,
		}},
		{"tests, examples and dependencies", map[string]string{"vendor/a.yaml": role, "x/testdata/a.yaml": role, "test/a.yaml": role, "config/samples/a.yaml": role, ".git/a.yaml": role}, nil},
		{"other kinds of the name", map[string]string{"a.yaml": strings.ReplaceAll(role, "rbac.authorization.k8s.io", "iam.example.com"), "b.yaml": "kind: Role\nspec: {a: 1}\n", "c.yaml": "[Role]", "d.yaml": "Role", "e.yaml": ""}, nil},
		{"a template", map[string]string{"templates/rbac.yaml": chart}, []string{
			`templates/rbac.yaml:16 ‹include chart.fullname›-x cluster [""] [secrets] [] [get‹› list‹›] by [‹.Values.account›]`,
			`templates/rbac.yaml:20 ‹include chart.fullname›-x cluster [""] [‹toYaml .Values.resources | nindent 4›] [] [watch] by [‹.Values.account›]`,
		}},
		{"a scope that is chosen", map[string]string{"chart/rbac.yaml.tpl": strings.ReplaceAll(role+"---"+clusterBinding, "Cluster", "{{ if .Values.wide }}Cluster{{ end }}")}, []string{
			`chart/rbac.yaml.tpl:6 manager cluster [""] [pods pods/status] [] [get list] by [controller]`,
			`chart/rbac.yaml.tpl:9 manager cluster ["apps"] [deployments] [own] [*] by [controller]`,
		}},
		{"an aggregated role", map[string]string{"a.yaml": aggregated + "---" + clusterBinding}, []string{
			`a.yaml:7 manager cluster ["‹aggregated›"] [‹aggregated›] [] [‹aggregated›] by [controller]`,
		}},
		{"a list, and a built-in role", map[string]string{"a.yaml": "kind: List\nitems:\n- apiVersion: rbac.authorization.k8s.io/v1\n  kind: RoleBinding\n  roleRef: {kind: ClusterRole, name: cluster-admin}\n"}, []string{
			`a.yaml:3 cluster-admin in  ["*"] [*] [] [*] by []`,
		}},
		{"a role of another repository", map[string]string{"a.yaml": clusterBinding}, []string{
			`a.yaml:2 manager cluster ["‹rules of manager›"] [‹rules of manager›] [] [‹rules of manager›] by [controller]`,
		}},
		{"a service", map[string]string{"a.yaml": service}, []string{
			`a.yaml:10 operator.v1 cluster [""] [nodes] [] [list] by [account]`,
			`a.yaml:13 operator.v1 cluster [""] [secrets] [] [list] by [account]`,
		}},
		{"a service with other manifests", map[string]string{"a.yaml": service, "b.yaml": strings.Replace(clusterBinding, "name: manager}\nsub", "name: system:auth}\nsub", 1)}, []string{
			`a.yaml:10 operator.v1 cluster [""] [nodes] [] [list] by [account]`,
			`a.yaml:13 operator.v1 in  [""] [secrets] [] [list] by [account]`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := footprint.Manifests(write(t, test.files))
			if err != nil {
				t.Fatal(err)
			}
			if got := grants(c); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if len(c.Unread) > 0 {
				t.Errorf("unread: %q", c.Unread)
			}
		})
	}
}

func TestUnread(t *testing.T) {
	c, err := footprint.Manifests(write(t, map[string]string{
		"a.yaml":      "kind: Other\n---\n" + role + "\tx\n",
		"b.yaml":      strings.Replace(role, "rules:\n", "rules:\n{{- include \"chart.rules\" . }}\n", 1),
		"c1.yaml":     strings.Replace(role, "rules:\n", "rules:\n{{- range (.Files.Lines \"a\") }}\n{{ . -}}\n{{- end }}\n", 1),
		"c2.yaml":     role[:strings.Index(role, "- api")] + "{{- toYaml .Values.rules | nindent 2 }}\n",
		"c3.yaml":     role + "{{- with .Values.more }}{{ toYaml . }}{{ end }}\n",
		"c.yaml":      "x:\ty\n", // no role
		"values.yaml": "role:\tRole\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a.yaml:2: ", "b.yaml:6: rules come", "c1.yaml:7: rules come", "c2.yaml:5: rules come"} {
		if i >= len(c.Unread) || !strings.HasPrefix(c.Unread[i], want) {
			t.Fatalf("unread: %q", c.Unread)
		}
	}
}

func TestDefinitions(t *testing.T) {
	c, err := footprint.Manifests(write(t, map[string]string{"crd.yaml": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: indices.example.com}
spec:
  group: example.com
  names:
    kind: Index
    plural: indices
  scope: Cluster
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties: {name: other
    served: true
  - additionalPrinterColumns: [{name: Age}]
    name: v1beta1
`}))
	if err != nil {
		t.Fatal(err)
	}
	want := "[{Index example.com  indices true true}]"
	if got := fmt.Sprint(c.Kinds); got != want || len(c.Unread) > 0 {
		t.Errorf("got %s, %q", got, c.Unread)
	}
}

func TestAllows(t *testing.T) {
	list := func(words ...string) []string { return words }
	pods := footprint.Grant{Groups: list(""), Resources: list("pods"), Verbs: list("get", "list", "create")}
	named := pods
	named.Names = list("one")
	local := pods
	local.Namespaced = true
	status := footprint.Grant{Groups: list("*"), Resources: list("*/status"), Verbs: list("*")}
	every := footprint.Grant{Groups: list("apps", ""), Resources: list("*"), Verbs: list("*")}
	unknown := footprint.Grant{Groups: list(""), Resources: list("‹.x›"), Verbs: list("get‹›list")}
	tests := []struct {
		grant footprint.Grant
		group string
		res   string
		sub   string
		verb  kubeapi.Verb
		want  string
	}{
		{pods, "", "pods", "", kubeapi.VerbList, "cluster"},
		{pods, "", "pods", "", kubeapi.VerbWatch, ""},
		{pods, "", "pods", "status", kubeapi.VerbGet, ""},
		{pods, "apps", "pods", "", kubeapi.VerbGet, ""},
		{local, "", "pods", "", kubeapi.VerbGet, "namespace"},
		{named, "", "pods", "", kubeapi.VerbGet, "cluster"},
		{named, "", "pods", "", kubeapi.VerbList, ""},
		{named, "", "pods", "", kubeapi.VerbCreate, ""},
		{status, "apps", "deployments", "status", kubeapi.VerbPatch, "cluster"},
		{status, "apps", "deployments", "", kubeapi.VerbPatch, ""},
		{every, "", "pods", "exec", kubeapi.VerbCreate, "cluster"},
		{every, "batch", "jobs", "", kubeapi.VerbCreate, ""},
		{unknown, "", "pods", "", kubeapi.VerbWatch, "cluster"},
	}
	for _, test := range tests {
		c := footprint.Cluster{Grants: []footprint.Grant{test.grant}}
		cluster, namespace := c.Allows(test.group, test.res, test.sub, test.verb)
		got := strings.Repeat("cluster", len(cluster)) + strings.Repeat("namespace", len(namespace))
		if got != test.want {
			t.Errorf("%+v: %s %s/%s/%s is allowed in %q, want %q", test.grant, test.verb, test.group, test.res, test.sub, got, test.want)
		}
	}
}

func TestRepository(t *testing.T) {
	dir := write(t, map[string]string{"a/.git/config": "", "a/b/go.mod": "", "a/b/c/x.yaml": "", "d/go.mod": "", "d/e/x": ""})
	for in, want := range map[string]string{"a/b/c": "a", "d/e": "d", "d": "d"} {
		if got := footprint.Repository(filepath.Join(dir, in)); got != filepath.Join(dir, want) {
			t.Errorf("%s is in %s", in, got)
		}
	}
}
