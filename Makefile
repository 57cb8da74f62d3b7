# Builds and checks Aleator.
#
#   make                  ./aleator, for this machine
#   make EXE=/path/name   the same binary at this path, as OpenBench requires (-j is allowed)
#   make release          aleator-linux-x86-64: one file that is fast on every processor from x86-64-v2 on
#   make release-windows  aleator-windows-x86-64.exe, built on Linux; engine-tests/platforms lists the requirements
#   make release-arm      aleator-linux-aarch64, built on Linux with the requirements of release-windows
#   make pgo              a profile-guided build for this machine; needs llvm-profdata
#   make site             target/site: the page without a server, for any static web host
#   make npm              target/npm: the engine as a JavaScript package, tested if node is installed
#   make test             runs the tests
#   make check            everything a change must pass: tests, formatting, lints, imports, words and documentation
#   make test-page        checks the page's types and formatting, and runs the page's tests in Chromium and some of
#                         them in Firefox; skipped without node or a browser
#   make syzygy-tables    downloads tablebases and an opening book for tests with pip; a failure is not an error
#   make fuzz TIME=60     runs each target of engine-tests/fuzz for 60 seconds; skipped without a nightly compiler
#   make races            checks models of shared state under many thread schedules (engine-tests/races)
#   make bench            searches a fixed set of positions; prints nodes and nodes per second
#   make criterion        runs the micro-benchmarks of benches/
#   make clean            removes everything that was built

EXE ?= aleator
CARGO ?= cargo
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
# If EXE already ends in the suffix of executables (such as .exe), no second suffix is added.
TARGET := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
BUILD := $(abspath $(or $(CARGO_TARGET_DIR),target))
BUILT := $(BUILD)/release/aleator$(SUFFIX)

# The commit that the program writes into the manifests of data sets; empty outside a git repository.
export ALEATOR_COMMIT ?= $(shell git describe --always --dirty 2>/dev/null)

.PHONY: all build release release-windows release-arm pgo site npm test check lint test-features doc test-page syzygy-tables \
	fuzz races bench criterion clean

all: build
	cp $(BUILT) "$(TARGET)"

build:
	$(CARGO) build --release --locked

# llvm-profdata must have the same LLVM version as rustc. llvm-profdata is part of rustup's component
# llvm-tools and of Debian's package llvm-22 (for LLVM 22). If neither is installed, the llvm-profdata on the
# PATH is used.
LLVM := $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA := $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata \
	/usr/bin/llvm-profdata-$(LLVM) /usr/lib/llvm-$(LLVM)/bin/llvm-profdata) llvm-profdata)
release:
	PROFDATA="$(PROFDATA)" src/release/build.sh

PLATFORM := engine-tests/platforms/toolchain.sh
release-windows:
	$(PLATFORM) x86_64-pc-windows-gnu src/release/build.sh

release-arm:
	$(PLATFORM) aarch64-unknown-linux-gnu src/release/build.sh

PROFILE := $(CURDIR)/target/pgo-profile
pgo:
	rm -rf "$(PROFILE)"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PROFILE)" \
		$(CARGO) build --release --locked --target-dir target/pgo
	target/pgo/release/aleator bench
	"$(PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)" || \
		{ echo "pgo: llvm-profdata is missing, or its LLVM version differs from rustc's version $(LLVM);"; \
		  echo "     to install it, use 'rustup component add llvm-tools' or 'apt-get install llvm-$(LLVM)'"; exit 1; }
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILE)/merged.profdata" \
		$(CARGO) build --release --locked --target-dir target/pgo
	cp target/pgo/release/aleator$(SUFFIX) "$(TARGET)"

# Builds the engine and the page as WebAssembly.
site npm:
	CARGO="$(CARGO)" src/wasm/build.sh $@

test:
	$(CARGO) test --locked

check: lint test test-features doc

lint:
	$(CARGO) fmt --check
	@if command -v python3 >/dev/null; then python3 engine-tests/code/layers.py && python3 engine-tests/code/words.py; \
		else echo "skipped: checking the imports and words needs python3"; fi
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --no-default-features --features program -- -D warnings
	$(CARGO) clippy --locked --lib --no-default-features --features board10x10 -- -D warnings
	$(CARGO) clippy --locked --no-default-features --features web -- -D warnings
	$(CARGO) clippy --locked --all-targets --features tune -- -D warnings

# Runs the tests that depend on cargo features. The build has no 10x10 board and declares the search
# parameters as options.
test-features:
	$(CARGO) test --locked --no-default-features --features program,tune --lib --test tools \
		--config profile.dev.package.aleator.opt-level=0 -- \
		rules:: search::params protocol::uci session::options a_tuning

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items

# This build usually takes no time, because the tests have already built the binary.
test-page:
	$(CARGO) build --locked
	@cd engine-tests/web && if ! command -v node >/dev/null; then echo "skipped: node is not installed"; else \
		npm ci --no-audit --no-fund; \
		if [ -e node_modules/.bin/tsc ]; then npm run --silent check; \
			else echo "skipped: npm could not install the tools that check types and formatting"; fi && \
		node run.js --server "$(BUILD)/debug/aleator" && \
		node firefox.js --server "$(BUILD)/debug/aleator"; fi

# Downloads all tablebases for three and four pieces, and an opening book, in the source package of python-chess.
SYZYGY := engine-tests/data/syzygy
syzygy-tables:
	@test -e $(SYZYGY)/performance.bin || { folder=$$(mktemp -d); trap 'rm -r "$$folder"' EXIT; \
		mkdir -p $(SYZYGY) && pip download --quiet --no-deps --no-binary :all: --dest "$$folder" chess && \
		tar -xzf "$$folder"/chess-*.tar.gz -C $(SYZYGY) --strip-components=4 --wildcards \
			'*/data/syzygy/regular/*.rtb?' && \
		tar -xzf "$$folder"/chess-*.tar.gz -C $(SYZYGY) --strip-components=3 --wildcards \
			'*/data/polyglot/performance.bin'; } \
		|| echo "skipped: the tablebases could not be downloaded; the tests that need tablebases will be skipped too"

TIME ?= 60
fuzz:
	@engine-tests/fuzz/run.sh $(TIME)

# Separate builds without the features that cannot be compiled with `--cfg loom`; see engine-tests/races.
races:
	for model in loom shuttle; do \
		RUSTFLAGS="--cfg $$model" $(CARGO) --config 'profile.dev.opt-level=0' test --locked --lib \
			--target-dir target/$$model --no-default-features --features program races || exit 1; done

bench: build
	$(BUILT) bench

criterion:
	$(CARGO) bench --locked

clean:
	$(CARGO) clean
	rm -f "$(TARGET)" aleator-linux-* aleator-windows-* SHA256SUMS
