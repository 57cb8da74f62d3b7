#!/bin/sh
# What a doubling of the nodes is worth, step by step, and how Aleator stands against a rival there.
# README.md beside this file explains it; `ladder.sh --help` prints the settings.
set -eu

if [ $# -gt 0 ] && ! [ "$1" -gt 0 ] 2>/dev/null; then
    cat >&2 <<HELP
usage: ladder.sh [NODES...]          default: 10000 40000 160000 640000
settings, from the environment:
  ENGINE=./aleator      the binary, which plays and is the arena as well
  RIVAL=                the command of another engine; without it there are doublings alone
  GAMES=400             of each encounter
  VARIANT=chess960      what is played
  CONCURRENCY=1         games at a time
  FOLDER=ladder         where the journals are; the ladder goes on from them
HELP
    exit 2
fi
[ $# -gt 0 ] || set -- 10000 40000 160000 640000
engine=${ENGINE:-./aleator} rival=${RIVAL:-} folder=${FOLDER:-ladder}
mkdir -p "$folder"

# The rest of a line of the match's last words. A match that is over only says them again.
encounter() { # name, nodes, arguments of the match
    journal=$folder/$1-$2.jsonl nodes=$2
    shift 2
    "$engine" match --variant "${VARIANT:-chess960}" --nodes "$nodes" \
        --games "${GAMES:-400}" --concurrency "${CONCURRENCY:-1}" \
        --json "$journal" --resume "$@" >"$journal.log"
    sed -n 's/^Elo *\([^,]*\),.*/\1/p' "$journal.log"
}

printf '%10s  %-20s  %s\n' nodes 'twice the nodes, Elo' "${rival:+against the rival, Elo}"
for nodes; do
    doubling=$(encounter doubling "$nodes" --engine "twice='$engine'" --engine "once='$engine'" \
        --limit "twice.nodes=$((2 * nodes))")
    against=
    [ -z "$rival" ] || against=$(encounter rival "$nodes" \
        --engine "aleator='$engine'" --engine "rival=$rival")
    printf '%10s  %-20s  %s\n' "$nodes" "$doubling" "$against"
done
