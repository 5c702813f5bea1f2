// Package operators is the root of the example programs: small controllers in our own words and code, compiled against
// the real Kubernetes modules, one folder a rule. A comment `// want "regexp"` on a line asks for a finding there.
package operators
