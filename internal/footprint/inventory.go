package footprint

// An Inventory is what a program asks of the API server, and what its cache holds. It is what `ctrllint footprint`
// prints, with these names in JSON. Places are "dir/file.go:12", relative to the folder of the run.
type Inventory struct {
	Program  string    `json:"program"`           // the import path of the main package
	Managers []string  `json:"managers"`          // where they are made
	Unless   []string  `json:"unless,omitempty"`  // conditions on which scopes do not hold
	Open     bool      `json:"open,omitempty"`    // options of a manager are not all known
	Informer []Held    `json:"informers"`         // what the cache holds, sorted
	Requests []Use     `json:"requests"`          // by kind, verb and source, sorted
	Unknown  []Missing `json:"unknown,omitempty"` // requests of which the client or kind is not known
	Rules    []Rule    `json:"rules,omitempty"`   // what roles grant, for the kinds of the program
	Places   int       `json:"places"`            // the number of requests in the source
}

// Held is an informer: the kind and form of what it holds, and why.
type Held struct {
	Kind   string   `json:"kind"` // "v1 Pod", "apps/v1 Deployment"
	Form   string   `json:"form"` // typed, metadata, unstructured
	Scope  string   `json:"scope"`
	Causes []Reason `json:"causes"` // sorted
}

// A Reason is why an informer is started.
type Reason struct {
	Role string `json:"role"` // For, Owns, Watches, Informer, Index, Get, List
	At   string `json:"at"`
}

// A Use is the requests of one verb for one kind.
type Use struct {
	Kind   string   `json:"kind"`
	Verb   string   `json:"verb"` // with the subresource: "update status"
	Source string   `json:"source"`
	At     []string `json:"at"`
}

// Missing is a request of which something is not known.
type Missing struct {
	Kind string `json:"kind"` // "?" for an unknown one
	Verb string `json:"verb"`
	What string `json:"what"` // client or kind
	At   string `json:"at"`
}

// A Rule is what a role grants.
type Rule struct {
	Kind      string   `json:"kind"`
	Verbs     []string `json:"verbs"`
	Namespace string   `json:"namespace,omitempty"`
	From      string   `json:"from"` // "marker a.go:12", or the manifest
}
