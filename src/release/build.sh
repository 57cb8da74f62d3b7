#!/usr/bin/env bash
# build.sh: makes aleator-linux-x86-64, the library at each level of processors behind front.rs, and
# its licences and hashes beside it. Where llvm-profdata is there ($PROFDATA), searches on both boards
# tell the compiler first which code matters.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "only for Linux on x86-64: try make, or make pgo"; exit 1; }
release=aleator-linux-x86-64
built=${CARGO_TARGET_DIR:-target}/release-levels
# As in front.rs: x86-64-v4, with AVX-512, is no faster than v3, and v3 without PEXT, for AMD before
# Zen 3, no faster than v2 (benches/RESULTS.md).
levels=(v3 v2)

# link PROGRAM [FLAG ...]: every level, compiled with these flags too, and the front.
link() {
    local program=$1 level externs=()
    shift
    for level in "${levels[@]}"; do
        echo "$program: $level"
        # Crates of one name are told apart by their metadata.
        RUSTFLAGS=" " cargo rustc --release --locked --lib --target-dir "$built" -- \
            -C target-cpu="x86-64-$level" -C metadata="$level" --cfg aleator_level "$@"
        mkdir -p "$built/$level"
        cp "$built/release/libaleator.rlib" "$built/$level/"
        externs+=(--extern "$level=$built/$level/libaleator.rlib")
    done
    rustc --edition 2024 -O src/release/front.rs -o "$program" "${externs[@]}" \
        -L dependency="$built/release/deps" -C strip=symbols "$@"
}

if "${PROFDATA:=llvm-profdata}" --version >/dev/null 2>&1; then
    profile=$(realpath -m "$built/profile")
    rm -rf "$profile"
    link "$built/instrumented" -C profile-generate="$profile"
    for level in "${levels[@]}"; do
        # A processor without the level says so; then this level has no profile.
        ALEATOR_LEVEL=$level "$built/instrumented" bench | tail -1 || true
    done
    "$PROFDATA" merge -o "$profile/merged.profdata" "$profile"
    link "$release" -C profile-use="$profile/merged.profdata"
    echo "$release: compiled with profiles, by $PROFDATA"
else
    echo "$release: without profiles, and slower for it: there is no llvm-profdata (see make pgo)"
    link "$release"
fi

# Whatever the level, the search is the same.
counts=$(for level in "${levels[@]}"; do
    { ALEATOR_LEVEL=$level "./$release" bench || true; } | sed -n '$s/ nodes.*/ nodes/p'
done | sort -u)
[ "$(wc -l <<<"$counts")" = 1 ] || { echo "$release: bench differs by level: $counts"; exit 1; }
echo "$release: bench $counts at every level that this processor has"

if cargo about --version >/dev/null 2>&1; then
    cargo about -L warn generate --locked -c src/release/licences.toml -o "$release.licences.txt" \
        src/release/licences.hbs
else
    echo "$release: without a list of licences: cargo install --locked --features cli cargo-about"
fi
sha256sum "$release"* | tee SHA256SUMS
