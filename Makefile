# Two commands do everything on a fresh machine: `make demo` and `make test`.

CONFIGURATION = release
AUBENCH = .build/$(CONFIGURATION)/aubench
PREFIX ?= /usr/local
DEMO_OUTPUT ?= build/demo.wav

.PHONY: demo test build bench lint format setup install clean

# Sets up, builds, renders a graph of six recordings and says what it did.
demo: build
	@mkdir -p $(dir $(DEMO_OUTPUT))
	$(AUBENCH) describe fixtures/demo/demo.json
	$(AUBENCH) render fixtures/demo/demo.json -o $(DEMO_OUTPUT)

build: setup
	swift build -c $(CONFIGURATION) --product aubench

# Style, then every test, in a release build: allocation counts and exactness mean nothing in another.
test: setup lint
	swift build -c $(CONFIGURATION) --build-tests -Xswiftc -warnings-as-errors
	swift test -c $(CONFIGURATION) --skip-build

# Beside SoX, FFmpeg, ecasound and pedalboard, where they are installed. See benchmarks/README.md.
bench: build
	benchmarks/run

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

format:
	swift format --in-place --recursive Package.swift Sources Tests

setup:
	@Scripts/setup

install: build
	install -Dm755 $(AUBENCH) $(DESTDIR)$(PREFIX)/bin/aubench
	install -Dm644 docs/aubench.1 $(DESTDIR)$(PREFIX)/share/man/man1/aubench.1
	install -Dm644 completions/aubench.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/aubench
	install -Dm644 completions/_aubench $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_aubench

clean:
	rm -rf .build build
