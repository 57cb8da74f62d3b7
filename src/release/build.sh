#!/usr/bin/env bash
# build.sh: builds a release (aleator-linux-x86-64, aleator-windows-x86-64.exe or
# aleator-linux-aarch64), a list of its licences, and SHA256SUMS. The release is for
# $CARGO_BUILD_TARGET, by default for this machine. For another target, run this script under
# engine-tests/platforms/toolchain.sh. On x86-64 the release contains the library once for each
# processor level, and front.rs selects a level at run time. If llvm-profdata ($PROFDATA) exists and
# the release is for this machine, profiles of searches on both boards guide the compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_BUILD_TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
export CARGO_BUILD_TARGET=$target
built=${CARGO_TARGET_DIR:-target}/release-levels
# The processor levels, the same as in front.rs. x86-64-v4 (AVX-512) is not faster than v3, and v3
# without PEXT (AMD before Zen 3) is not faster than v2 (benches/log.md).
levels=(v3 v2)
run=() resources=()
case $target in
x86_64-unknown-linux-gnu)
    release=aleator-linux-x86-64 ;;
x86_64-pc-windows-gnu)
    release=aleator-windows-x86-64.exe run=($CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER) ;;
aarch64-unknown-linux-gnu)
    release=aleator-linux-aarch64 run=(${CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER:-}) levels=(plain) ;;
*)
    echo "there is no release for $target: try make, or make pgo"; exit 1 ;;
esac

# link PROGRAM [FLAG ...]: compiles the library for every level, with these flags, and links the
# libraries with front.rs.
link() {
    local program=$1 level externs=()
    shift
    for level in "${levels[@]}"; do
        echo "$program: $level"
        # The metadata distinguishes crates of the same name.
        RUSTFLAGS=" " cargo rustc --release --locked --lib --target-dir "$built" -- \
            -C target-cpu="x86-64-$level" -C metadata="$level" --cfg aleator_level "$@"
        mkdir -p "$built/$level"
        cp "$built/$target/release/libaleator.rlib" "$built/$level/"
        externs+=(--extern "$level=$built/$level/libaleator.rlib")
    done
    # The library folders of dependencies, which cargo would pass to rustc.
    local searched=()
    mapfile -t searched < <(sed -n 's/^cargo:\{1,2\}rustc-link-search=/-L/p' \
        "$built/$target"/release/build/*/output | sort -u)
    "${RUSTC:-rustc}" --edition 2024 -O src/release/front.rs -o "$program" --target "$target" \
        "${externs[@]}" "${resources[@]}" -L dependency="$built/$target/release/deps" \
        -L dependency="$built/release/deps" "${searched[@]}" -C strip=symbols "$@"
}

if [ "$target" = aarch64-unknown-linux-gnu ]; then
    # A static binary, so that it also runs on Android and on old systems.
    RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --locked --target-dir "$built"
    cp "$built/$target/release/aleator" "$release"
elif [ "$target" = x86_64-pc-windows-gnu ]; then
    mkdir -p "$built"
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
    x86_64-w64-mingw32-windres -D VERSION="\\\"$version\\\"" -D NUMBERS="${version//./,},0" \
        src/release/windows.rc "$built/windows.o"
    resources=(-C link-arg="$built/windows.o")
    link "$release"
elif "${PROFDATA:=llvm-profdata}" --version >/dev/null 2>&1; then
    profile=$(realpath -m "$built/profile")
    rm -rf "$profile"
    link "$built/instrumented" -C profile-generate="$profile"
    for level in "${levels[@]}"; do
        # If this processor lacks the level, bench fails and the level gets no profile.
        ALEATOR_LEVEL=$level "$built/instrumented" bench | tail -1 || true
    done
    "$PROFDATA" merge -o "$profile/merged.profdata" "$profile"
    link "$release" -C profile-use="$profile/merged.profdata"
    echo "$release: compiled with profiles, by $PROFDATA"
else
    echo "$release: without profiles and therefore slower: there is no llvm-profdata (see make pgo)"
    link "$release"
fi

# The search must be the same at every level.
counts=$(for level in "${levels[@]}"; do
    { ALEATOR_LEVEL=$level "${run[@]}" "./$release" bench || true; } | sed -n '$s/ nodes.*/ nodes/p'
done | sort -u)
case $(wc -w <<<"$counts") in
0) echo "$release: bench cannot run here: see engine-tests/platforms/README.md" ;;
2) echo "$release: bench $counts at every level that this processor has" ;;
*) echo "$release: bench differs by level: $counts"; exit 1 ;;
esac

if cargo about --version >/dev/null 2>&1; then
    cargo about -L warn generate --locked -c src/release/licences.toml -o "$release.licences.txt" \
        src/release/licences.hbs
else
    echo "$release: without a list of licences: cargo install --locked --features cli cargo-about"
fi
shopt -s nullglob
sha256sum aleator-linux-* aleator-windows-* | tee SHA256SUMS
