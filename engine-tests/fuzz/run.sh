#!/usr/bin/env bash
# run.sh SECONDS [TARGET ...]: fuzzes every target, or the given ones, for SECONDS each, and prints the
# number of executions. Inputs that break a target are written to artifacts/; the exit status is then 1.
set -euo pipefail
seconds=${1:?usage: run.sh SECONDS [TARGET ...]}
shift
cd "$(dirname "$0")"

triple=x86_64-unknown-linux-gnu
if ! rustc +nightly --version --verbose 2>/dev/null | grep -q "host: $triple"; then
    echo "skipped: fuzzing needs a nightly compiler for $triple"
    exit 0
fi
# Use the same versions of libraries as the engine.
cp ../../Cargo.lock .
python3 seeds.py
# The flags that cargo-fuzz would pass. Because of --target they do not apply to build scripts.
coverage=-Cllvm-args=-sanitizer-coverage
export RUSTFLAGS="-Cpasses=sancov-module $coverage-level=4 $coverage-inline-8bit-counters \
$coverage-pc-table $coverage-trace-compares --cfg fuzzing -Zsanitizer=address -Cdebug-assertions"
export ASAN_OPTIONS=detect_odr_violation=0
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(basename --suffix .rs targets/*.rs)
cargo +nightly build --release --target $triple "${targets[@]/#/--bin=}"

built=${CARGO_TARGET_DIR:-target}/$triple/release
log=$(mktemp)
trap 'rm "$log"' EXIT
broken=0
for target in "${targets[@]}"; do
    mkdir -p "corpus/$target" "artifacts/$target"
    if "$built/$target" -max_total_time="$seconds" -timeout=60 -dict=words.dict \
        -artifact_prefix="artifacts/$target/" "corpus/$target" >"$log" 2>&1; then
        echo "$target: $(sed -n 's/^Done \([0-9]* runs in .*\)/\1/p' "$log")"
    else
        broken=1
        tail -60 "$log"
        echo "$target: broken"
    fi
done
exit $broken
