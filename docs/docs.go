// Package docs has the pages of docs/rules, as the command shows them.
package docs

import "embed"

//go:embed rules
var pages embed.FS

// Page is the page of a rule ("lockheld") or of a sub-rule ("lockheld/leak") in Markdown. It is empty where there is none.
func Page(name string) string {
	data, err := pages.ReadFile("rules/" + name + ".md")
	if err != nil {
		return ""
	}
	return string(data)
}
