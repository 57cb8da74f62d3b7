#!/usr/bin/env bash
# Tests shards under real schedulers: try.sh BINARY GAMES.pgn FOLDER
#
# Makes a table of starting positions and a data set in one process, with GNU parallel, and with Slurm
# job arrays (slurm.sh), in each of which a task is killed and requeued. Annotates games and searches them
# for puzzles in one process and with GNU parallel. Fails if a result differs from that of one process.
# Needs root and Debian's packages parallel and slurm-wlm.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
ALEATOR=$(realpath "$1")
export ALEATOR
pgn=$(realpath "$2")
mkdir -p "$3/whole" "$3/parallel" "$3/slurm"
cd "$3"
parts=8
games=80

table="start --all --evaluate --nodes 4000 --hash 1 --out table.csv --resume"
data="datagen --seed 7 --games $games --nodes 300 --out set"

in_parallel() {
    seq $parts | (cd parallel && parallel -j 2 "$ALEATOR" "$@" --shard "{}/$parts") >parallel/log 2>&1
}

# Whether a part has results: the first line of unfinished work is a header.
has_begun() {
    [ -s "$1/games.bin" ] || [ "$(cat "$1" 2>/dev/null | wc -l)" -gt 1 ]
}

# Runs a job array whose fifth task is killed as soon as it has written a result.
in_slurm() {
    local array job part=$1
    shift
    array=$(cd slurm && sbatch --parsable --array="1-$parts" "$here/shards.sbatch" $parts "$@")
    job=${array}_5
    until has_begun "slurm/$part"; do
        [ -n "$(squeue -h -j "$job" -o %i)" ] || break
        sleep 0.05
    done
    echo "task $job is $(squeue -h -j "$job" -o %T), and requeued"
    scontrol requeue "$job"
    while [ -n "$(squeue -h -j "$array" -o %i)" ]; do
        # Slurm would wait for two minutes after a requeue.
        scontrol update JobId="$job" StartTime=now 2>/dev/null || true
        sleep 1
    done
    grep -h Restarts <(scontrol show job "$job") || true
}

# Compares the parts in a folder with the results of one process.
compare() {
    (
        cd "$1"
        cat table.?-of-$parts.csv | cmp - ../whole/table.csv
        rm -rf merged
        "$ALEATOR" data merge set.?-of-$parts -o merged
        "$ALEATOR" data verify merged
        for index in $(seq 0 $((games - 1))); do
            cmp <("$ALEATOR" data view merged --game "$index") \
                <("$ALEATOR" data view ../whole/set --game "$index")
        done
    )
    echo "$1: table equal byte for byte, $games games equal by index"
}

# Compares the output of a command that reads games with that of GNU parallel: compare_pipe N ARGUMENTS OPTION
compare_pipe() {
    cmp <("$ALEATOR" $2 2>/dev/null <"$pgn") \
        <(parallel -k --pipe -N "$1" --recstart '[Event ' "$ALEATOR" $2 $3 2>/dev/null <"$pgn")
    echo "aleator $2: equal byte for byte"
}
compare_pipe 10 "annotate - --nodes 5000 --hash 1" ""
compare_pipe 1 "puzzles - --look 1000 --nodes 10000 --hash 1" "--first {#}"

for words in "$table" "$data"; do
    echo "aleator $words"
    (cd whole && "$ALEATOR" $words >>log 2>&1)
    in_parallel $words
done
compare parallel

export SLURM_CONF=$PWD/daemons/slurm.conf
"$here/slurm.sh" start daemons
trap '"$here/slurm.sh" stop daemons' EXIT
in_slurm table.5-of-$parts.csv.unfinished $table
in_slurm set.5-of-$parts $data
compare slurm

sums() { cat parallel/table.* parallel/set.*/games.bin | sha256sum; }
before=$(sums)
for words in "$table" "$data"; do in_parallel $words; done
[ "$(sums)" = "$before" ]
echo "running every shard a second time changed nothing"
rm parallel/table.3-of-$parts.csv
echo "without one part:"
(cd parallel && ! "$ALEATOR" join table.csv)
