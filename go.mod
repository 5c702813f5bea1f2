module github.com/ctrllint/ctrllint

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2 // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)
