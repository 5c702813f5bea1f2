# GOLANGCI_LINT may name another binary of the stock golangci-lint v2.
GOLANGCI_LINT ?= golangci-lint

# MKDOCS may name another mkdocs, with the theme material.
MKDOCS ?= mkdocs

.PHONY: build test check e2e lint demo docs site summaries bench bench-goker gate mutants soak trial soak-lock

build:
	go build -o bin/ctrllint ./cmd/ctrllint

# What takes long says every 15 seconds that it is not stuck.
ALIVE = go run ./internal/alive

# All tests but those that take long, which are named TestExhaustive….
test:
	$(ALIVE) go test -skip '^TestExhaustive' $(TESTFLAGS) ./...

# Those: all examples and packages, one by one; faults of the cache; go vet with many flags, over the standard library; the demo; and whether the tests notice mutants.
check:
	$(ALIVE) go test -run '^TestExhaustive' -timeout 20m $(TESTFLAGS) ./...
	$(ALIVE) go run ./internal/mutants

# Drives ctrllint with the real tools: go vet, go fix, golangci-lint built both ways, pre-commit. Minutes, the first time.
e2e:
	GOLANGCI_LINT="$(GOLANGCI_LINT)" $(ALIVE) go test -tags e2e -count=1 -timeout 30m $(TESTFLAGS) ./e2e

lint:
	$(ALIVE) $(GOLANGCI_LINT) run

# demo/ is an operator with ten bugs: the demo has worked when it finds some.
demo: build
	@echo 'bin/ctrllint -C demo ./...'
	@bin/ctrllint -C demo ./... ; test $$? -eq 1
	@echo
	@echo 'Next: bin/ctrllint explain lockheld/blocking          what one kind of finding is about'
	@echo '      bin/ctrllint -C demo -fix -diff ./...           the fixes, as a diff; without -diff they are applied'
	@echo '      bin/ctrllint -C demo -format sarif ./...        for code scanning, with the way to each finding'

# The pages of the rules, and the JSON schema; and the site, where there is what builds it.
docs:
	go test ./internal/page/writer -run 'TestPages|TestNavigation' -update
	go test ./internal/config -run TestJSONSchema$$ -update
	@if command -v $(MKDOCS) >/dev/null; then $(MAKE) --no-print-directory site; else echo "the pages are written; without mkdocs there is no site (pip install mkdocs-material)"; fi

# A site of the pages in the folder site, which is not committed.
site:
	@command -v $(MKDOCS) >/dev/null || { echo "the site is built by mkdocs and its theme material: pip install mkdocs-material, or apt-get install mkdocs-material"; exit 2; }
	$(MKDOCS) build --quiet --clean
	@echo "open site/index.html"

# The table of the libraries' functions that call what they are given: by inference over their source.
summaries:
	go generate ./internal/blocking ./internal/markers

# Compares generated programs with what the rules say of them: SOAKFLAGS="-for 4h" or "-count 20000 -from 5000"; "-wide" for more shapes.
soak:
	go run ./oracle/soak $(SOAKFLAGS)

# The same for the held sets of random functions: FUNCTIONS of them, from the seed FIRST on.
FUNCTIONS ?= 50000
FIRST ?= 0
soak-lock:
	go test -count=1 -timeout 0 -v -run 'TestNaive$$' ./internal/lock -functions $(FUNCTIONS) -first $(FIRST)

# Programs that were written by hand, and what is said of each. TRIALFLAGS="-only <folder> -verdicts testdata/programs/elsewhere.tsv" runs others.
trial:
	$(ALIVE) go run ./eval programs $(TRIALFLAGS)

# The tables of docs/cost.md. KRUISE and CAPI are checkouts, which are copied. All of it takes hours: `go run ./bench -h`
# tells how to choose rows with BENCHFLAGS.
bench:
	@test -n "$(KRUISE)$(CAPI)" || { echo "usage: make bench [KRUISE=<checkout>] [CAPI=<checkout>] [BENCHFLAGS=...]"; exit 2; }
	go run ./bench -golangci-lint "$(GOLANGCI_LINT)" $(if $(KRUISE),-module "kruise=$(KRUISE)") $(if $(CAPI),-module "cluster-api=$(CAPI)") $(BENCHFLAGS)

# GOBENCH is a checkout of github.com/timmyyuan/gobench.
bench-goker: build
	@test -n "$(GOBENCH)" || { echo "usage: make bench-goker GOBENCH=<checkout>"; exit 2; }
	go run ./eval/goker "$(GOBENCH)"

# The findings on real code against those in eval/data: fails where right ones are lost, or wrong ones reported, beyond eval/gate.json. The modules are
# downloaded. GATEFLAGS=-short runs the small ones alone, and GATEFLAGS="-mirrors <folder>" trees and fresh code as well.
gate:
	$(ALIVE) go run ./eval gate $(GATEFLAGS)

# Whether the tests notice what they should: MUTANTSFLAGS chooses mutants (-only, -rules, -v). Two minutes.
mutants:
	go run ./internal/mutants $(MUTANTSFLAGS)
