#!/usr/bin/env bash
# Usage: build.sh site|npm. Builds the page without a server in target/site, or the npm package in target/npm.
set -euo pipefail
cd "$(dirname "$0")/../.."

case $1 in
site) feature=wasm-page ;;
npm) feature=wasm-uci ;;
*) echo "usage: build.sh site|npm" >&2; exit 1 ;;
esac
# Builds two modules: one for browsers with SIMD (all since 2023), and a plain module for older browsers. Other
# crates are optimised for size, because the search does not use them.
PLAIN=+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext
compile() {
    # The stack has the size of the stack of a search thread (search::pool).
    RUSTFLAGS="-C target-feature=$2 -C link-arg=-zstack-size=16777216" \
        engine-tests/platforms/toolchain.sh wasm32-unknown-unknown "${CARGO:-cargo}" rustc --locked --release \
        --config 'profile.release.package."*".opt-level="s"' \
        --lib --crate-type cdylib --no-default-features --features "board10x10,$feature" --target-dir "target/wasm/$1"
    cp "target/wasm/$1/wasm32-unknown-unknown/release/aleator.wasm" "$out/$1.wasm"
}

out=target/$1
rm -rf "$out"
mkdir -p "$out"
compile aleator "$PLAIN,+simd128"
compile aleator-plain "$PLAIN"
cp src/eval/nets/*.nnue src/wasm/host.js LICENSE "$out"

if [ "$1" = npm ]; then
    cp -r src/wasm/npm/* "$out"
    cd "$out"
    if command -v node >/dev/null; then node --test test.js; else echo "skipped: the tests need node, which is not installed"; fi
    exit
fi
cp -r src/web/page "$out/page"
mkdir "$out/puzzles"
cp book/puzzles/*.epd "$out/puzzles"
mv "$out/page/index.html" "$out"
cp src/wasm/site/* "$out"
mv "$out/transport.js" "$out/page"
# The content security policy of the page forbids requests to other hosts.
policy="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src 'self' 'unsafe-inline'"
sed -i "s|<link rel=\"preload\" href=\"api/variants\".*|<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">|" "$out/index.html"
grep -q Content-Security-Policy "$out/index.html"
cd "$out"
{
    echo "// The sizes of the WebAssembly and network files, in bytes."
    echo "export const SIZES = {"
    stat --format '  "%n": %s,' -- *.wasm *.nnue
    echo "};"
} >sizes.js
files=$(find . -type f ! -name sw.js ! -name LICENSE ! -name aleator-plain.wasm | sort)
version=$(printf '%s\n' $files | xargs sha256sum | sha256sum | cut -c1-12)
list=$(printf '"%s", ' ./ $files)
sed -i "s|@VERSION@|$version|; s|\[\"@FILES@\"\]|[${list%, }]|" sw.js
du -ch --apparent-size . | tail -1
