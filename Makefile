# The targets are listed by `make help`; each has its line of help behind ##.

GO      ?= go
PREFIX  ?= /usr/local
TAGS    := urfave_cli_no_docs
GOFLAGS += -trimpath -tags=$(TAGS)
export CGO_ENABLED = 0
export GOFLAGS

# Linters are pinned and run by the Go that builds the project.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.0
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
SHFMT       := mvdan.cc/sh/v3/cmd/shfmt@v3.14.1

# shfmt does not read the subscript flags of zsh that the completion uses.
ZSH := shell/zsh/jail.zsh shell/zsh/uninit.zsh

.DEFAULT_GOAL := help
.PHONY: help build probe arm64 test e2e cases escape escapetable soak uml lint fmt fuzz bench demo golden install check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: bin/jail bin/jail-hook ## build bin/jail and bin/jail-hook, static

bin/jail bin/jail-hook: FORCE
	$(GO) build -ldflags='-s -w' -o $@ ./cmd/$(@F)

probe: bin/probe ## build bin/probe, which tries the ways out of any sandbox

bin/probe: FORCE
	$(GO) build -ldflags='-s -w' -o $@ ./internal/probe

arm64: ## build for arm64 too, into bin/arm64
	GOARCH=arm64 $(GO) build -ldflags='-s -w' -o bin/arm64/ ./cmd/...

test: build arm64 ## run all tests; as root it installs the programs that they need
	scripts/need test
	$(GO) vet ./...
	$(GO) test -timeout 30m ./...

# With SANDBOX the ways out of another one: make escape SANDBOX='bwrap --ro-bind / / ...'
escape: build probe ## try every known way out of the jail, or out of SANDBOX
	bin/probe escape $(if $(SANDBOX),-sandbox '$(SANDBOX)')

escapetable: build probe ## the same beside other sandboxes, into docs/security.md
	scripts/need escape
	PATH="$$PATH:$$(scripts/peers)" bin/probe escape -beside -table docs/security.md

soak: ## launch 10,000 times, 1,000 times beside somebody who swaps files, and search changing trees
	scripts/need test
	$(GO) test ./internal/mask -count=1 -timeout 1h -v -run 'TestKeptAnswersAsTheWalkDoes|TestOnceHidden' -seed $$(date +%s)
	$(GO) test ./internal/sandbox/launch -count=1 -timeout 4h -v -run TestManyLaunches -launches 10000
	$(GO) test ./cmd/jail -count=1 -timeout 4h -v -run 'TestRacingWriter|TestTogether' -raced 1000 -together 64

e2e: build ## install, build and test real software from the registries, inside
	scripts/need e2e
	$(GO) test -tags=$(TAGS),e2e -timeout 40m -run RealSoftware ./cmd/jail

# A case that wants what the design rules out is named: CASES_EXCEPT='C12 C83'
cases: build ## run the case scripts in CASES inside, as root and as a user
	scripts/need test
	EXCEPT='$(CASES_EXCEPT)' CASES_ONLY='$(CASES_ONLY)' scripts/cases '$(CASES)'

uml: ## run the tests of the launch on a kernel without Landlock
	scripts/need uml
	scripts/uml

lint: ## run the linters
	scripts/need lint
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run: make fmt'; exit 1; }
	$(GO) vet ./...
	$(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) ./...
	scripts/lint-shell
	$(GO) run $(SHFMT) -d scripts demo .ci/run internal/escape/rows
	$(GO) run $(SHFMT) -d -i 2 shell/bash
	$(GO) run $(SHFMT) -d -i 2 -ln zsh $(ZSH)

fmt: ## format Go and shell code
	gofmt -w .
	$(GO) run $(GOFUMPT) -w .
	$(GO) run $(SHFMT) -w scripts demo .ci/run internal/escape/rows
	$(GO) run $(SHFMT) -w -i 2 shell/bash
	$(GO) run $(SHFMT) -w -i 2 -ln zsh $(ZSH)

fuzz: ## run every fuzz target for a minute
	scripts/fuzz 60s

bench: build ## measure the launch beside bubblewrap and firejail, prompts, and real work
	scripts/need bench
	$(GO) run ./internal/bench
	$(GO) run ./internal/bench -work 3
	$(GO) run ./internal/bench/prompt

demo: build ## show what a hostile package finds, bare and jailed
	scripts/need demo
	demo/run

golden: ## rewrite the golden files of the tests
	$(GO) test ./internal/sandbox/... -update

install: build ## install into PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 0755 bin/jail bin/jail-hook $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 0644 man/jail.1 man/jail-hook.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 0644 man/jail-config.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	for name in jail jail-hook; do \
		install -m 0644 shell/bash/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$name && \
		install -m 0644 shell/fish/completion.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$name.fish || exit 1; \
	done
	install -m 0644 shell/zsh/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_jail
	install -d $(DESTDIR)$(PREFIX)/share/jail/apparmor
	install -m 0644 packaging/apparmor/* $(DESTDIR)$(PREFIX)/share/jail/apparmor

check: lint test ## everything that CI runs

clean: ## remove what build made
	rm -rf bin

FORCE:
