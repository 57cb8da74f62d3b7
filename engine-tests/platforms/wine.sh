#!/usr/bin/env bash
# wine.sh PROGRAM [ARGUMENT ...]: runs a Windows program with wine, whose files are in
# $XDG_CACHE_HOME/aleator (~/.cache/aleator), not in the user's ~/.wine.
set -euo pipefail

cache=${XDG_CACHE_HOME:-$HOME/.cache}/aleator
wine=$(command -v wine64 || command -v /usr/lib/wine/wine64 || command -v wine) ||
    { echo "wine.sh: there is no wine: apt-get install wine64" >&2; exit 1; }
export WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=$cache/wine WINEPATH=$cache
# Rust's standard library needs this library for random numbers; wine has it only from version 9 on.
if [ ! -e "$cache/bcryptprimitives.dll" ]; then
    mkdir -p "$cache"
    x86_64-w64-mingw32-gcc -shared -o "$cache/$$.dll" "$(dirname "$(realpath "$0")")/bcryptprimitives.c" -ladvapi32
    mv "$cache/$$.dll" "$cache/bcryptprimitives.dll"
fi
exec "$wine" "$@"
