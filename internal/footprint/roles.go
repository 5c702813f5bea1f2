package footprint

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
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

// Allows returns the bound grants that allow all requests of that kind, for the whole cluster and in a namespace only.
// Sub is the subresource, if any. A grant for some names allows what is asked of one object; a list or watch of all
// objects of the kind needs one without names.
func (c *Cluster) Allows(group, resource, sub string, verb kubeapi.Verb) (cluster, namespace []*Grant) {
	for i := range c.Grants {
		g := &c.Grants[i]
		switch {
		case !g.Bound || !g.Allows(group, resource, sub, verb):
		case g.Namespaced:
			namespace = append(namespace, g)
		default:
			cluster = append(cluster, g)
		}
	}
	return cluster, namespace
}

// Allows reports whether g allows the request in its scope, whether it is bound or not.
func (g *Grant) Allows(group, resource, sub string, verb kubeapi.Verb) bool {
	resources := []string{"*", resource}
	if sub != "" {
		resources = []string{"*", resource + "/" + sub, "*/" + sub}
	}
	named := len(g.Names) > 0
	switch verb {
	case kubeapi.VerbList, kubeapi.VerbWatch, kubeapi.VerbDeleteCollection:
		if named {
			return false
		}
	case kubeapi.VerbCreate: // the name of a new object is not known yet
		if named && sub == "" {
			return false
		}
	}
	return anyOf(g.Groups, "*", group) && anyOf(g.Resources, resources...) && anyOf(g.Verbs, "*", string(verb))
}

// anyOf reports whether list has one of the words, or what a template puts there.
func anyOf(list []string, words ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return slices.Contains(words, s) || templated(s) })
}

// maxManifest limits the size of a document, without the schemas of kinds.
const maxManifest = 2 << 20

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
	r := &manifests{}
	for _, file := range names {
		name, err := filepath.Rel(root, file)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		r.file(filepath.ToSlash(name), string(text))
	}
	return r.cluster(), nil
}

// manifests gathers what the documents say.
type manifests struct {
	Cluster
	roles    []*role
	bindings []*binding
	lifted   []int // indices of grants in a namespace that may be for the cluster
}

// A role is a Role or ClusterRole. Texts are those of templates (see [plain]).
type role struct {
	kind, name, namespace string
	rules                 []Grant
	labels                map[string]string
	aggregates            []map[string]string // labels of the roles that it consists of
}

// A binding is a RoleBinding or ClusterRoleBinding.
type binding struct {
	at, kind, namespace string
	roleKind, role      string
	subjects            []string
}

func (r *manifests) unread(name string, line int, reason string) {
	r.Unread = append(r.Unread, fmt.Sprintf("%s:%d: %s", name, line, reason))
}

// The kinds of manifests that are read.
const (
	kindRole           = "Role"
	kindClusterRole    = "ClusterRole"
	kindBinding        = "RoleBinding"
	kindClusterBinding = "ClusterRoleBinding"
	kindDefinition     = "CustomResourceDefinition"
	kindService        = "ClusterServiceVersion" // of the Operator Lifecycle Manager, which creates and binds its roles
)

// manifestKind is the line of a document that may be one of them.
var manifestKind = regexp.MustCompile(`\bkind["']?:[^\n]*(Role|` + kindDefinition + `|` + kindService + `|‹)`)

// file reads the documents of a file.
func (r *manifests) file(name, text string) {
	text = plain(text)
	line := 1
	for len(text) > 0 {
		end := len(text)
		if i := strings.Index(text, "\n---"); i >= 0 {
			end = i + 1
		}
		doc := text[:end]
		text = strings.TrimPrefix(text[end:], "---")
		if manifestKind.MatchString(doc) {
			r.document(name, line, withoutSchemas(doc))
		}
		line += strings.Count(doc, "\n")
	}
}

// document reads the document that begins at a line of the file.
func (r *manifests) document(name string, line int, doc string) {
	if at, ok := otherRules(doc); ok {
		r.unread(name, line+at, "rules come from another template, or from values")
	}
	var top yaml.Node
	if len(doc) > maxManifest {
		r.unread(name, line, "it is too large")
	} else if err := yaml.Unmarshal([]byte(doc), &top); err != nil {
		r.unread(name, line, err.Error())
	} else if len(top.Content) > 0 {
		r.object(&source{name, line - 1}, top.Content[0])
	}
}

// A source is a document, with the lines above it.
type source struct {
	file  string
	above int
}

func (s *source) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", s.file, s.above+n.Line) }

// object reads an object, or the items of a list.
func (r *manifests) object(s *source, n *yaml.Node) {
	for _, item := range items(n, "items") {
		r.object(s, item)
	}
	kind, version := text(n, "kind"), text(n, "apiVersion")
	ofRole := templated(version) || strings.Contains(version, "authorization")
	switch {
	case is(kind, kindDefinition):
		r.definition(n)
	case is(kind, kindService):
		r.service(s, n)
	case ofRole && len(fields(n, "roleRef")) > 0:
		b := &binding{s.at(n), kind, text(n, "metadata", "namespace"), text(n, "roleRef", "kind"), text(n, "roleRef", "name"), nil}
		for _, subject := range items(n, "subjects") {
			b.subjects = append(b.subjects, text(subject, "name"))
		}
		r.bindings = append(r.bindings, b)
	case ofRole && (is(kind, kindRole) || is(kind, kindClusterRole)):
		made := &role{kind: kind, name: text(n, "metadata", "name"), namespace: text(n, "metadata", "namespace"), rules: rules(s, n)}
		made.labels = labels(fields(n, "metadata", "labels"))
		for _, selector := range items(n, "aggregationRule", "clusterRoleSelectors") {
			if len(fields(selector, "matchExpressions")) > 0 {
				r.unread(s.file, s.above+selector.Line, "roles are aggregated by an expression")
			}
			made.aggregates = append(made.aggregates, labels(fields(selector, "matchLabels")))
		}
		r.roles = append(r.roles, made)
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

// definition reads a CustomResourceDefinition. Before apiextensions.k8s.io/v1, it could have one version by itself.
func (r *manifests) definition(n *yaml.Node) {
	t := Type{
		Name: text(n, "spec", "names", "kind"), Group: text(n, "spec", "group"), Plural: text(n, "spec", "names", "plural"),
		Cluster: is(text(n, "spec", "scope"), kubeapi.ScopeCluster), Root: true,
	}
	versions := texts(n, "spec", "version")
	for _, v := range items(n, "spec", "versions") {
		versions = append(versions, text(v, "name"))
	}
	slices.Sort(versions)
	for _, t.Version = range slices.Compact(versions) {
		r.Kinds = append(r.Kinds, t)
	}
}

// service reads the permissions of a ClusterServiceVersion. Where the operator may be installed for all namespaces, the
// Operator Lifecycle Manager makes ClusterRoles of its Roles then, which r.lifted has.
func (r *manifests) service(s *source, n *yaml.Node) {
	all := slices.ContainsFunc(items(n, "spec", "installModes"), func(mode *yaml.Node) bool {
		return text(mode, "type") == "AllNamespaces" && text(mode, "supported") == "true"
	})
	for _, key := range []string{"clusterPermissions", "permissions"} {
		for _, item := range items(n, "spec", "install", "spec", key) {
			for _, g := range rules(s, item) {
				g.Role, g.Bound, g.Subjects = text(n, "metadata", "name"), true, texts(item, "serviceAccountName")
				g.Namespaced = key == "permissions"
				if g.Namespaced && all {
					r.lifted = append(r.lifted, len(r.Grants))
				}
				r.Grants = append(r.Grants, g)
			}
		}
	}
}

// cluster puts roles and bindings together.
func (r *manifests) cluster() *Cluster {
	// Who installs the operator by other manifests has no lifted roles.
	for _, i := range r.lifted {
		r.Grants[i].Namespaced = len(r.bindings) > 0
	}
	for _, x := range r.roles {
		all := slices.Clone(x.rules)
		for _, selector := range x.aggregates {
			for _, y := range r.roles {
				if y != x && selects(selector, y.labels) {
					all = append(all, y.rules...)
				}
			}
		}
		// Have: a grant without a binding, or one for each scope that it is bound in.
		scopes := map[string]Grant{}
		for _, b := range r.bindings {
			if !b.binds(x) {
				continue
			}
			g := Grant{Bound: true}
			if !is(b.kind, kindClusterBinding) {
				g.Namespaced, g.Namespace = true, cmp.Or(b.namespace, x.namespace)
			}
			key := fmt.Sprint(g)
			g.Subjects = append(scopes[key].Subjects, b.subjects...)
			scopes[key] = g
		}
		if len(scopes) == 0 {
			scopes[""] = Grant{Namespaced: !is(x.kind, kindClusterRole), Namespace: x.namespace}
		}
		for _, key := range slices.Sorted(maps.Keys(scopes)) {
			scope := scopes[key]
			slices.Sort(scope.Subjects)
			subjects := slices.Compact(scope.Subjects)
			for _, g := range all {
				g.Role, g.Bound, g.Subjects = x.name, scope.Bound, subjects
				g.Namespaced, g.Namespace = scope.Namespaced, scope.Namespace
				r.Grants = append(r.Grants, g)
			}
		}
	}
	for _, b := range r.bindings {
		r.builtin(b)
	}
	return &r.Cluster
}

// builtin adds what b grants by a role that no manifest declares: anything, if it is not known.
func (r *manifests) builtin(b *binding) {
	switch {
	case slices.ContainsFunc(r.roles, b.binds):
	case strings.HasPrefix(b.role, "system:") || b.role == "extension-apiserver-authentication-reader":
		// Those of the cluster itself grant nothing that an operator caches.
	default:
		every := []string{"‹rules of " + b.role + "›"}
		if b.role == "cluster-admin" {
			every = []string{"*"}
		}
		r.Grants = append(r.Grants, Grant{
			File: b.at, Role: b.role, Groups: every, Resources: every, Verbs: every, Bound: true, Subjects: b.subjects,
			Namespaced: !is(b.kind, kindClusterBinding), Namespace: b.namespace,
		})
	}
}

// binds reports whether b is for x. A prefix that kustomize adds is added to both.
func (b *binding) binds(x *role) bool {
	kinds := func(kind string) bool { return is(b.roleKind, kind) && is(x.kind, kind) }
	return b.role == x.name && (kinds(kindRole) || kinds(kindClusterRole))
}

func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}
