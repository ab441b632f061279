# Two commands do everything on a fresh machine: `make demo` and `make test`.

CONFIGURATION = release
AUBENCH = .build/$(CONFIGURATION)/aubench
PREFIX ?= /usr/local
DEMO_OUTPUT ?= build/demo.wav
# The name that programs find the library by; SwiftPM gives it none.
LIBRARY_NAME = -Xlinker -soname=libAudioToolbox.so

.PHONY: demo docs held test test-all build-tests cluster verify verify-all mutation sanitize fuzz build library bench bench-quick bench-tools bench-compare soak lint format setup install uninstall clean

# Sets up, builds, renders a graph of six recordings, draws what came out and an equalizer of it, and says how to hear it.
demo: setup
	Scripts/build-when-stale $(CONFIGURATION) aubench
	@Scripts/demo $(AUBENCH) $(DEMO_OUTPUT)

# With what the suites ask the C interface by.
build: setup
	Scripts/build-when-stale $(CONFIGURATION) aubench
	Scripts/build-when-stale $(CONFIGURATION) aubench-scan
	Scripts/build-when-stale $(CONFIGURATION) aubench-decode
	Scripts/build-when-stale $(CONFIGURATION) suite-host
	Scripts/build-when-stale $(CONFIGURATION) engine-programs
	Scripts/build-when-stale $(CONFIGURATION) suite-component
	Scripts/build-when-stale $(CONFIGURATION) aubench-watch

# The C interface as a shared library: what `make install` puts in place and what tests of C programs link.
library: setup
	Scripts/build-when-stale $(CONFIGURATION) aubench-scan
	Scripts/build-when-stale $(CONFIGURATION) aubench-decode
	Scripts/build-when-stale $(CONFIGURATION) AudioToolbox $(LIBRARY_NAME)

# What newcomers run: style, every test and every suite, in a release build: allocation counts and exactness mean nothing in another.
# Each step says how long it took; build/times.tsv keeps that.
test: setup
	@Scripts/setup binutils valgrind pandoc python3
	Scripts/timed "style" $(MAKE) -s lint
	Scripts/timed "build with tests" $(MAKE) -s build-tests
	Scripts/timed "tests" Scripts/run-tests $(CONFIGURATION)
	Scripts/timed "suites" $(AUBENCH) verify fixtures/suites/*.json --artifacts build/verify

# What takes longer and is worth having, behind `make test`: the tests of what can reach optional libraries without these, a package with a
# unit of its own, threads under the sanitizer, public documentation by DocC, the mutation tool's own tests, and twelve mutants, others for
# each commit. What a machine cannot have (exit code 77) is skipped with the reason.
test-all: build-tests
	Scripts/timed "tests without optional libraries" Scripts/test-without-libraries $(CONFIGURATION)
	Scripts/timed "windows of files" env WINDOWS=2000 swift test -c $(CONFIGURATION) --skip-build --filter FileWindowTests
	Scripts/timed "package with a unit of its own" Scripts/test-own-units
	Scripts/timed "build for the thread sanitizer" swift build --sanitize=thread --scratch-path .build/thread --product hand-over-stress
	Scripts/timed "threads under the sanitizer" .build/thread/debug/hand-over-stress 6
	Scripts/timed "documentation" Scripts/check-documentation $(CONFIGURATION) || [ $$? -eq 77 ]
	@Scripts/setup python3 python3-venv || true
	Scripts/timed "mutation, self-test" Scripts/mutation-score --self-test || [ $$? -eq 77 ]
	Scripts/timed "mutation, a sample" Scripts/mutation-score --few 12 --seed $$(git rev-parse HEAD) || [ $$? -eq 77 ]

build-tests: setup
	swift build -c $(CONFIGURATION) --build-tests
	swift build -c $(CONFIGURATION) --product aubench-watch
	swift build -c $(CONFIGURATION) --product AudioToolbox $(LIBRARY_NAME)

# A batch on a Slurm cluster on loopback, one of whose nodes dies, and on what stands in for it in tests. Skipped, with the reason, where Slurm
# cannot be installed. Debian starts no daemon of Slurm without a configuration; it does start munge.
cluster: build
	@Scripts/setup slurmctld slurmd slurm-client munge || true
	@Tests/Cluster/check-slurm fake
	@Tests/Cluster/check-slurm real || [ $$? -eq 77 ]
	@AUBENCH=$(AUBENCH) Tests/Cluster/check-batch fake
	@AUBENCH=$(AUBENCH) Tests/Cluster/check-batch real || [ $$? -eq 77 ]

# The pages and completions that the program prints of its own tables, and the pictures of the README.
docs: build
	@Scripts/setup pandoc $$(command -v python3 > /dev/null || echo python3)
	$(AUBENCH) --print-manual=markdown > docs/commands.md
	Scripts/manual-page $(AUBENCH) > docs/aubench.1
	$(AUBENCH) --print-manual=units > docs/units.md
	$(AUBENCH) --print-manual=graph-schema > docs/graph-file.schema.json
	$(AUBENCH) --print-manual=job-schema > docs/job-file.schema.json
	$(AUBENCH) --print-manual=scenario-schema > docs/scenario-file.schema.json
	$(AUBENCH) --print-manual=suite-schema > docs/suite-file.schema.json
	$(AUBENCH) --print-completion=bash > completions/aubench.bash
	$(AUBENCH) --print-completion=zsh > completions/_aubench
	Scripts/draw-pictures $(AUBENCH)

# Makes held texts anew and shows the difference: PART=docs, clients, sessions, hosts, tests, sessions/NAME or hosts/NAME; all unless given.
held: build
	swift build -c $(CONFIGURATION) --build-tests
	@Scripts/held $(CONFIGURATION) $(PART)

# The suites of this package, as their users run theirs, with a page to look at.
verify: build
	@mkdir -p build
	$(AUBENCH) verify fixtures/suites/*.json --artifacts build/verify --html build/verify.html

# These and the ones that take longer: every pair of rates through every quality.
verify-all: build
	@mkdir -p build
	$(AUBENCH) verify fixtures/suites/*.json fixtures/suites/all/*.json --artifacts build/verify --html build/verify.html

# How often the truth lies within what measurements of random devices say: other devices for each commit.
COVERAGE_DEVICES ?= 240
coverage: setup
	swift build -c release --product measurement-coverage
	.build/release/measurement-coverage --devices $(COVERAGE_DEVICES) --seed $$(git rev-parse HEAD)

# How many of a random sample of small changes to the sources the suites and the unit tests notice. Takes hours; goes on where
# it was stopped. See Tests/Mutation/README.md.
mutation: setup
	Scripts/mutation-score --self-test
	Scripts/mutation-score -j 2

# What the sanitizers say of the C interface: edits from two threads while a third renders, for SECONDS; then every test.
SECONDS ?= 600
sanitize: setup
	swift build --sanitize=thread --scratch-path .build/thread --product interface-stress
	.build/thread/debug/interface-stress $(SECONDS)
	swift build --sanitize=address --scratch-path .build/address --build-tests
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/address --skip-build

# Random calls of the whole C interface and of AVFAudio, two million with one thread and with four; then under the sanitizers.
FUZZ_CALLS ?= 2000000
FUZZ_FILES = fixtures/audio/drums.flac fixtures/audio/guitar.flac
fuzz: setup
	@mkdir -p build
	swift build -c release --product interface-fuzz
	swift build -c release --product engine-fuzz
	.build/release/interface-fuzz 1 $(FUZZ_CALLS) 1 $(FUZZ_FILES) 2>build/fuzz.log
	AUBENCH_THREADS=3 .build/release/interface-fuzz 2 $(FUZZ_CALLS) 4 $(FUZZ_FILES) 2>build/fuzz.log
	.build/release/engine-fuzz 1 $(FUZZ_CALLS) 1
	.build/release/engine-fuzz 2 $(FUZZ_CALLS) 4
	swift build --sanitize=address --scratch-path .build/address --product interface-fuzz
	swift build --sanitize=address --scratch-path .build/address --product engine-fuzz
	INTERFACE_FUZZ_UNCAPPED=1 .build/address/debug/interface-fuzz 3 100000 4 $(FUZZ_FILES) 2>build/fuzz.log
	INTERFACE_FUZZ_UNCAPPED=1 .build/address/debug/engine-fuzz 3 100000 4
	swift build --sanitize=thread --scratch-path .build/thread --product interface-fuzz
	swift build --sanitize=thread --scratch-path .build/thread --product engine-fuzz
	AUBENCH_THREADS=3 INTERFACE_FUZZ_UNCAPPED=1 .build/thread/debug/interface-fuzz 4 100000 4 $(FUZZ_FILES) 2>build/fuzz.log
	INTERFACE_FUZZ_UNCAPPED=1 .build/thread/debug/engine-fuzz 4 100000 4

# Beside SoX, FFmpeg, ecasound, pedalboard, DawDreamer, scipy and the tools of libsamplerate and libsndfile, where they are installed:
# writes benchmarks/RESULTS.md. See benchmarks/README.md.
bench: bench-tools
	benchmarks/run

# The same with short sounds, in 5 minutes: writes build/bench/RESULTS.md.
bench-quick: bench-tools
	benchmarks/run --quick

bench-tools: build
	Scripts/build-when-stale $(CONFIGURATION) node-cost
	Scripts/build-when-stale $(CONFIGURATION) welch-speed

# Whether this tree renders slower than another revision, or sounds otherwise: make bench-compare BASE=main~3
bench-compare: setup
	@Scripts/bench-compare $(BASE) $(GRAPHS)

# Batches that are ended at random moments, for an hour; what `bench --against` claims of planted delays, for half an hour.
soak: build
	Tests/Stress/batch-soak --program $(AUBENCH)
	Tests/Stress/bench-trial --program $(AUBENCH)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

format:
	swift format --in-place --recursive Package.swift Sources Tests

setup:
	@Scripts/setup

# Programs find the library by `pkg-config AudioToolbox`: see docs/core-audio-on-linux.md.
install: build library
	install -Dm755 $(AUBENCH) $(DESTDIR)$(PREFIX)/bin/aubench
	install -Dm755 .build/$(CONFIGURATION)/libaubench-watch.so $(DESTDIR)$(PREFIX)/lib/aubench/libaubench-watch.so
	Scripts/install-pages $(PREFIX) $(DESTDIR)
	install -Dm644 completions/aubench.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/aubench
	install -Dm644 completions/_aubench $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_aubench
	Scripts/install-library .build/$(CONFIGURATION) $(PREFIX) $(DESTDIR)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/aubench $(DESTDIR)$(PREFIX)/lib/aubench/libaubench-watch.so
	Scripts/install-pages --uninstall $(PREFIX) $(DESTDIR)
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/aubench
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_aubench
	Scripts/install-library --uninstall .build/$(CONFIGURATION) $(PREFIX) $(DESTDIR)

clean:
	rm -rf .build build
