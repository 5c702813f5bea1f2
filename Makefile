# GOLANGCI_LINT may name another binary of the stock golangci-lint v2.
GOLANGCI_LINT ?= golangci-lint

.PHONY: build test e2e lint demo docs bench bench-series bench-kubelet bench-goker

build:
	go build -o bin/ctrllint ./cmd/ctrllint

test:
	go test $(TESTFLAGS) ./...

# Drives ctrllint with the real tools: go vet, go fix, golangci-lint built both ways, pre-commit. Minutes, the first time.
e2e:
	GOLANGCI_LINT="$(GOLANGCI_LINT)" go test -tags e2e -count=1 -timeout 30m $(TESTFLAGS) ./e2e

lint:
	$(GOLANGCI_LINT) run

# The examples are full of bugs: the demo has worked when it finds some.
demo: build
	bin/ctrllint -C testdata ./... ; test $$? -eq 1

docs:
	go test ./internal/page -run TestPages -update
	go test ./internal/config -run TestJSONSchema$$ -update

# KRUISE is a checkout of any operator; its dependencies are compiled before the clock starts.
bench: build
	@test -n "$(KRUISE)" || { echo "usage: make bench KRUISE=<checkout>"; exit 2; }
	go build -o bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	go run ./bench -ctrllint bin/ctrllint -staticcheck bin/staticcheck "$(KRUISE)"

# What docs/cost.md is made from.
bench-series:
	go run ./bench/series $(BENCHFLAGS)

# Compiles the kubelet and all that it needs first, which takes minutes where the build cache has none of it.
bench-kubelet:
	go run ./bench/kubelet $(BENCHFLAGS)

# GOBENCH is a checkout of github.com/timmyyuan/gobench.
bench-goker: build
	@test -n "$(GOBENCH)" || { echo "usage: make bench-goker GOBENCH=<checkout>"; exit 2; }
	go run ./bench/goker "$(GOBENCH)"
