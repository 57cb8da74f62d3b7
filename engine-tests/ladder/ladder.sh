#!/bin/sh
# Measures the Elo gain of twice the nodes at several node counts, and the difference to a rival engine.
# See README.md; `ladder.sh --help` prints the settings.
set -eu

if [ $# -gt 0 ] && ! [ "$1" -gt 0 ] 2>/dev/null; then
    cat >&2 <<HELP
usage: ladder.sh [NODES...]          default: 10000 40000 160000 640000
settings, from the environment:
  ENGINE=./aleator      the binary that plays and runs the matches
  RIVAL=                the command of another engine; without it only doublings are measured
  GAMES=400             games of each match
  VARIANT=chess960      the variant
  CONCURRENCY=1         games played at the same time
  FOLDER=ladder         the folder of the journals, from which the ladder resumes
HELP
    exit 2
fi
[ $# -gt 0 ] || set -- 10000 40000 160000 640000
engine=${ENGINE:-./aleator} rival=${RIVAL:-} folder=${FOLDER:-ladder}
mkdir -p "$folder"

# Plays a match and prints its Elo. A match that is already finished only prints it again.
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
