#!/usr/bin/env bash
# toolchain.sh TARGET [COMMAND [ARGUMENT ...]]: runs a command, such as `cargo build --release` or
# `cargo test --lib`, for another platform; without a command, checks whether that is possible. TARGET is
# x86_64-pc-windows-gnu, aarch64-unknown-linux-gnu or wasm32-unknown-unknown.
#
# The standard library comes from rustup. If rustup cannot download it, the compiler of Debian bookworm's
# Firefox (rustc-web) is unpacked, not installed (it conflicts with rustup), and compiles its standard
# library once, in $XDG_CACHE_HOME/aleator (~/.cache/aleator). If something else is missing, a message
# names it, and the exit status is 1.
set -euo pipefail

target=${1:?usage: toolchain.sh TARGET [COMMAND [ARGUMENT ...]]}
shift
cache=${XDG_CACHE_HOME:-$HOME/.cache}/aleator
folder=$(dirname "$(realpath "$0")")
linker='' package='' runner=''
std=std,panic_unwind,test
case $target in
x86_64-pc-windows-gnu)
    linker=x86_64-w64-mingw32-gcc package=gcc-mingw-w64-x86-64-win32 runner=$folder/wine.sh ;;
aarch64-unknown-linux-gnu)
    linker=aarch64-linux-gnu-gcc package="gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    runner="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
wasm32-unknown-unknown)
    std=std,panic_abort ;;
*)
    echo "toolchain.sh: no recipe for '$target'" >&2; exit 1 ;;
esac

missing() {
    echo "toolchain.sh: for $target there is no $1" >&2
    exit 1
}

has_std() {
    compgen -G "$("$1" --print target-libdir --target "$target")/libstd-*.rlib" >/dev/null
}

# Unpacks Debian's packages and their libraries into $unpacked; $unpacked/rustc is the compiler.
unpack() {
    local packages part="$unpacked.part"
    packages=(rustc-web rust-web-src lld-22 libllvm22 libstd-rust-web-dev)
    packages+=("$(apt-cache depends libstd-rust-web-dev 2>/dev/null | sed -n 's/ *Depends: \(libstd.*\)/\1/p')")
    rm -rf "$part"
    mkdir -p "$part"
    (cd "$part" && apt-get -qq -o APT::Sandbox::User=root download "${packages[@]}" >&2 && for file in *.deb; do dpkg -x "$file" .; done) ||
        missing "standard library: neither 'rustup target add $target' nor 'apt-get download rustc-web' succeeds"
    rm "$part"/*.deb
    cat >"$part/rustc" <<END
#!/bin/sh
LD_LIBRARY_PATH=$unpacked/usr/lib/x86_64-linux-gnu exec $unpacked/usr/bin/rustc "\$@"
END
    chmod +x "$part/rustc"
    mv "$part" "$unpacked"
}

# Compiles the standard library with an empty crate, and copies it to where $RUSTC looks for it.
compile_std() {
    local libraries
    libraries=$("$RUSTC" --print target-libdir --target "$target")
    mkdir -p "$unpacked/empty" "$libraries"
    printf '[package]\nname = "empty"\nedition = "2021"\n[lib]\npath = "empty.rs"\n[workspace]\n' \
        >"$unpacked/empty/Cargo.toml"
    touch "$unpacked/empty/empty.rs"
    # RUSTC_BOOTSTRAP allows unstable options in a stable compiler.
    (cd "$unpacked/empty" && RUSTC_BOOTSTRAP=1 RUSTFLAGS='' cargo build --release --target-dir target \
        -Zbuild-std="$std") >&2 || missing "standard library: it could not be compiled"
    rm -f "$unpacked/empty/target/$target"/release/deps/libempty*
    cp "$unpacked/empty/target/$target"/release/deps/*.rlib "$libraries"
}

name=CARGO_TARGET_$(tr a-z- A-Z_ <<<"$target")
if [ -n "$linker" ]; then
    command -v "$linker" >/dev/null || missing "linker: apt-get install $package"
    export "${name}_LINKER=$linker"
fi
[ -z "$runner" ] || export "${name}_RUNNER=$runner"
# Override .cargo/config.toml, which selects this machine's processor.
export CARGO_BUILD_TARGET=$target RUSTFLAGS="${RUSTFLAGS:- }"
if ! has_std "${RUSTC:-rustc}" && ! rustup target add "$target" >&2; then
    unpacked=$cache/rustc-web
    export RUSTC=$unpacked/rustc
    [ -x "$RUSTC" ] || unpack
    [ "$target" != wasm32-unknown-unknown ] || export "${name}_LINKER=$unpacked/usr/bin/wasm-ld-22"
    has_std "$RUSTC" || compile_std
fi
[ $# = 0 ] || exec "$@"
