package footprint

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Cluster is what the manifests of a repository declare: rules of roles and kinds. All branches of a template count,
// and ‹text› stands for what a template writes there, which may be anything. So what is not granted here is granted by
// no choice of values.
type Cluster struct {
	Chart  string // the folder of the Helm chart that has the grants, or "the charts"; "" for all, and for those of none
	Grants []Grant
	Kinds  []Type   // of CustomResourceDefinitions, by version; the Name is that of the kind
	Unread []string // places that may grant more: "chart/templates/role.yaml:12: the reason"
}

// Allows returns the grants that allow all requests of that kind, for the whole cluster and in a namespace only.
// Sub is the subresource, if any. A grant for some names allows what is asked of one object that exists: a list or watch
// of all objects of the kind needs one without names.
func (c *Cluster) Allows(group, resource, sub string, verb kubeapi.Verb) (cluster, namespace []*Grant) {
	resources := []string{"*", resource}
	if sub != "" {
		resources = []string{"*", resource + "/" + sub, "*/" + sub}
	}
	unnamed := verb == kubeapi.VerbList || verb == kubeapi.VerbWatch || verb == kubeapi.VerbDeleteCollection || verb == kubeapi.VerbCreate && sub == ""
	for i := range c.Grants {
		g := &c.Grants[i]
		switch {
		case unnamed && len(g.Names) > 0:
		case !anyOf(g.Groups, "*", group) || !anyOf(g.Resources, resources...) || !anyOf(g.Verbs, "*", string(verb)):
		case g.Namespaced:
			namespace = append(namespace, g)
		default:
			cluster = append(cluster, g)
		}
	}
	return cluster, namespace
}

// anyOf reports whether list has one of the words, or what a template puts there.
func anyOf(list []string, words ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return slices.Contains(words, s) || templated(s) })
}

// Repository returns the folder of the repository that dir is in: with .git, else the innermost with a go.mod, else dir.
func Repository(dir string) string {
	module := ""
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil && module == "" {
			module = d
		}
		if d == filepath.Dir(d) {
			return cmp.Or(module, dir)
		}
	}
}

// passed are folders whose manifests do not come with the program: of other modules and versions, tests and examples.
var passed = strings.Fields("vendor node_modules testdata third_party test tests e2e testing example examples sample samples releases")

// manifestName is the name of a file that is YAML, or a template for it.
var manifestName = regexp.MustCompile(`\.ya?ml(\.[a-z0-9]+)?$|\.tpl$`)

var _ rule.Reader = (*Program)(nil)

// Reads returns the names of the manifests of the repository that the folder dir is in: YAML files other than of tests,
// examples and dependencies.
func (*Program) Reads(dir string) (names []string, err error) {
	root := Repository(dir)
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && name != root && (base[0] == '.' || slices.Contains(passed, base)):
			return fs.SkipDir
		case d.Type().IsRegular() && manifestName.MatchString(base):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// Manifests reads the manifests of the repository that the folder dir is in. Places are relative to the repository.
func Manifests(dir string) (*Cluster, error) {
	names, err := new(Program).Reads(dir)
	if err != nil {
		return nil, err
	}
	root := Repository(dir)
	m := &manifests{}
	for _, file := range names {
		name, err := filepath.Rel(root, file)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		m.file(filepath.ToSlash(name), string(text))
	}
	m.bind()
	return &m.Cluster, nil
}

// manifests gathers what the documents say.
type manifests struct {
	Cluster
	roles    []*role
	bindings []*binding
}

// A role is a Role or ClusterRole. Texts are those of templates (see [plain]).
type role struct {
	kind, name, namespace string
	rules                 []Grant
}

// A binding is a RoleBinding or ClusterRoleBinding.
type binding struct {
	at, kind, namespace string
	roleKind, role      string
	subjects            []string
}

// The kinds of manifests that are read.
const (
	kindRole           = "Role"
	kindClusterRole    = "ClusterRole"
	kindClusterBinding = "ClusterRoleBinding"
	kindDefinition     = "CustomResourceDefinition"
	kindService        = "ClusterServiceVersion" // of the Operator Lifecycle Manager, which creates and binds its roles
)

// manifestKind is the line of a document that may be one of them.
var manifestKind = regexp.MustCompile(`\bkind["']?:[^\n]*(Role|` + kindService + `|‹)`)

// file reads the documents of a file.
func (m *manifests) file(name, text string) {
	line := 0 // above the document
	for doc := range strings.SplitSeq(plain(text), "\n---") {
		unread := func(at int, reason string) {
			m.Unread = append(m.Unread, fmt.Sprintf("%s:%d: %s", name, line+at, reason))
		}
		var top yaml.Node
		if strings.Contains(doc, "kind: "+kindDefinition) {
			m.definition(doc)
		} else if manifestKind.MatchString(doc) {
			if at, ok := otherRules(doc); ok {
				unread(at+1, "rules come from another template, or from values")
			}
			if err := yaml.Unmarshal([]byte(doc), &top); err != nil {
				unread(1, err.Error())
			} else if len(top.Content) > 0 {
				m.object(&source{name, line}, top.Content[0])
			}
		}
		line += strings.Count(doc, "\n") + 1
	}
}

// A source is a document, with the lines above it.
type source struct {
	file  string
	above int
}

func (s *source) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", s.file, s.above+n.Line) }

// object reads an object, or the items of a list.
func (m *manifests) object(s *source, n *yaml.Node) {
	for _, item := range items(n, "items") {
		m.object(s, item)
	}
	kind, version, namespace := text(n, "kind"), text(n, "apiVersion"), text(n, "metadata", "namespace")
	switch {
	case is(kind, kindService):
		m.service(s, n)
	case !templated(version) && !strings.Contains(version, "authorization"):
	case len(fields(n, "roleRef")) > 0:
		b := &binding{s.at(n), kind, namespace, text(n, "roleRef", "kind"), text(n, "roleRef", "name"), nil}
		for _, subject := range items(n, "subjects") {
			b.subjects = append(b.subjects, text(subject, "name"))
		}
		m.bindings = append(m.bindings, b)
	case is(kind, kindRole) || is(kind, kindClusterRole):
		made := &role{kind, text(n, "metadata", "name"), namespace, rules(s, n)}
		if len(fields(n, "aggregationRule")) > 0 {
			made.rules = append(made.rules, anything(s.at(n), "‹aggregated›"))
		}
		m.roles = append(m.roles, made)
	}
}

// rules returns the rules of a role, without those for URLs.
func rules(s *source, n *yaml.Node) (all []Grant) {
	for _, rule := range items(n, "rules") {
		g := Grant{File: s.at(rule), Groups: texts(rule, "apiGroups"), Resources: texts(rule, "resources"), Names: texts(rule, "resourceNames"), Verbs: texts(rule, "verbs")}
		if len(g.Resources) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// anything returns a grant of what word stands for.
func anything(at, word string) Grant {
	return Grant{File: at, Groups: []string{word}, Resources: []string{word}, Verbs: []string{word}}
}

// property is a line of a CustomResourceDefinition about its kind, as controller-gen writes it. Schemas, which are most of
// it, are not parsed.
var property = regexp.MustCompile(`(?m)^(?:  (group|scope)|    (kind|plural)): *["']?([^\s"']+)`)

// definition reads a CustomResourceDefinition, by the first line about each property.
func (m *manifests) definition(doc string) {
	first := map[string]string{}
	for _, p := range property.FindAllStringSubmatch(doc, -1) {
		first[p[1]+p[2]] = cmp.Or(first[p[1]+p[2]], p[3])
	}
	if first["plural"] != "" {
		m.Kinds = append(m.Kinds, Type{
			Name: first["kind"], Group: first["group"], Plural: first["plural"], Cluster: is(first["scope"], kubeapi.ScopeCluster), Root: true,
		})
	}
}

// service reads the permissions of a ClusterServiceVersion.
func (m *manifests) service(s *source, n *yaml.Node) {
	for _, key := range []string{"clusterPermissions", "permissions"} {
		for _, item := range items(n, "spec", "install", "spec", key) {
			for _, g := range rules(s, item) {
				g.Role, g.Subjects, g.Namespaced = text(n, "metadata", "name"), texts(item, "serviceAccountName"), key == "permissions"
				m.Grants = append(m.Grants, g)
			}
		}
	}
}

// bind puts roles and bindings together. A role that nothing binds grants nothing; of one that no manifest declares,
// nothing is known, but those of the cluster itself grant nothing that an operator caches.
func (m *manifests) bind() {
	add := func(b *binding, rules []Grant, namespace string) {
		for _, g := range rules {
			g.Role, g.Subjects, g.Namespaced = b.role, b.subjects, !is(b.kind, kindClusterBinding)
			if g.Namespaced {
				g.Namespace = cmp.Or(b.namespace, namespace)
			}
			m.Grants = append(m.Grants, g)
		}
	}
	for i := range m.Grants { // of services: for all namespaces, the Operator Lifecycle Manager makes ClusterRoles of Roles
		m.Grants[i].Namespaced = m.Grants[i].Namespaced && len(m.bindings) > 0
	}
	for _, x := range m.roles {
		for _, b := range m.bindings {
			if b.binds(x) {
				add(b, x.rules, x.namespace)
			}
		}
	}
	for _, b := range m.bindings {
		if b.role == "cluster-admin" {
			add(b, []Grant{anything(b.at, "*")}, "")
		} else if !slices.ContainsFunc(m.roles, b.binds) && !strings.HasPrefix(b.role, "system:") && b.role != "extension-apiserver-authentication-reader" {
			add(b, []Grant{anything(b.at, "‹rules of "+b.role+"›")}, "")
		}
	}
}

// binds reports whether b is for x. A prefix that kustomize adds is added to both.
func (b *binding) binds(x *role) bool {
	kinds := func(kind string) bool { return is(b.roleKind, kind) && is(x.kind, kind) }
	return b.role == x.name && (kinds(kindRole) || kinds(kindClusterRole))
}
