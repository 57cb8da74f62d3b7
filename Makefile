# Builds and checks Aleator.
#
#   make                  ./aleator, for this machine
#   make EXE=/path/name   the same binary there (the OpenBench convention; -j is fine)
#   make release          aleator-linux-x86-64: one file that is fast on every processor from x86-64-v2 on
#   make release-windows  aleator-windows-x86-64.exe, on Linux: engine-tests/platforms says what that needs
#   make release-arm      aleator-linux-aarch64, likewise
#   make pgo              a profile-guided build for this machine, if llvm-profdata is there
#   make site             target/site: the page without a server, for any host of static files
#   make npm              target/npm: the engine for programs in JavaScript, a package that is tested if node is there
#   make test             formatting, lints, tests, documentation
#   make test-page        the page in Chromium, some of it in Firefox: needs node, says so without one of them
#   make syzygy-tables    tablebases and a book for the tests, by pip: says so if they cannot be had
#   make fuzz TIME=60     each target of engine-tests/fuzz for a minute: needs a nightly compiler, says so without
#   make races            models of what threads share, in many orders: engine-tests/races
#   make bench            search a fixed set of positions: nodes and nodes per second
#   make criterion        the micro-benchmarks of benches/
#   make clean

EXE ?= aleator
CARGO ?= cargo
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
# An EXE that has the suffix already does not get it twice.
TARGET := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
BUILD := $(abspath $(or $(CARGO_TARGET_DIR),target))
BUILT := $(BUILD)/release/aleator$(SUFFIX)

# What manifests of data sets name as the program's commit; nothing where git does not know.
export ALEATOR_COMMIT ?= $(shell git describe --always --dirty 2>/dev/null)

.PHONY: all build release release-windows release-arm pgo site npm test lint unit doc test-page syzygy-tables \
	fuzz races bench criterion clean

all: build
	cp $(BUILT) "$(TARGET)"

build:
	$(CARGO) build --release --locked

# The profiler must be of the compiler's own LLVM version: rustup's component llvm-tools has it, or
# Debian's package, llvm-22 for LLVM 22; otherwise the one on the PATH is tried.
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
		{ echo "pgo: llvm-profdata is missing or of another LLVM version than rustc's $(LLVM);"; \
		  echo "     'rustup component add llvm-tools' or 'apt-get install llvm-$(LLVM)' brings it"; exit 1; }
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILE)/merged.profdata" \
		$(CARGO) build --release --locked --target-dir target/pgo
	cp target/pgo/release/aleator$(SUFFIX) "$(TARGET)"

# The engine and the page in WebAssembly.
site npm:
	CARGO="$(CARGO)" src/wasm/build.sh $@

test: lint unit doc

lint:
	$(CARGO) fmt --check
	@if command -v python3 >/dev/null; then python3 engine-tests/code/layers.py; \
		else echo "skipped: there is no python3 to look for circles of imports"; fi
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --no-default-features --features program -- -D warnings
	$(CARGO) clippy --locked --lib --no-default-features --features board10x10 -- -D warnings
	$(CARGO) clippy --locked --no-default-features --features web -- -D warnings
	$(CARGO) clippy --locked --all-targets --features tune -- -D warnings

# All tests in the build that people have; in one more what is of no other: the numbers of the search
# as options, and no 10x10 board.
unit:
	$(CARGO) test --locked
	$(CARGO) test --locked --no-default-features --features program,tune --lib --test tools \
		--config profile.dev.package.aleator.opt-level=0 -- \
		rules:: search::params protocol::options session::options a_tuning

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items

# The tests have just built this binary.
test-page:
	$(CARGO) build --locked
	@cd engine-tests/web && if ! command -v node >/dev/null; then echo "skipped: there is no node"; else \
		npm ci --no-audit --no-fund; node run.js --server "$(BUILD)/debug/aleator" && \
		node firefox.js --server "$(BUILD)/debug/aleator"; fi

# All endings of three and four men, and an opening book, which python-chess brings for its own tests.
SYZYGY := engine-tests/data/syzygy
syzygy-tables:
	@test -e $(SYZYGY)/performance.bin || { folder=$$(mktemp -d); trap 'rm -r "$$folder"' EXIT; \
		mkdir -p $(SYZYGY) && pip download --quiet --no-deps --no-binary :all: --dest "$$folder" chess && \
		tar -xzf "$$folder"/chess-*.tar.gz -C $(SYZYGY) --strip-components=4 --wildcards \
			'*/data/syzygy/regular/*.rtb?' && \
		tar -xzf "$$folder"/chess-*.tar.gz -C $(SYZYGY) --strip-components=3 --wildcards \
			'*/data/polyglot/performance.bin'; } \
		|| echo "skipped: the tables cannot be had; the tests of them will be skipped, too"

TIME ?= 60
fuzz:
	@engine-tests/fuzz/run.sh $(TIME)

# Builds of their own, without the parts that loom's flag would confuse. All else is in the README there.
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
