#!/usr/bin/env bash
# Runs Slurm on one machine to test job arrays: slurm.sh start FOLDER | slurm.sh stop FOLDER
#
# Needs root and Debian's slurm-wlm (which installs munge, and allows several node daemons on a machine).
# Starts two node daemons, a and b, of one CPU each. All state is in FOLDER; programs find the
# configuration by `export SLURM_CONF=FOLDER/slurm.conf`.
set -euo pipefail

folder=$(realpath -m "$2")
export SLURM_CONF=$folder/slurm.conf

configure() { # the lines of the nodes
    mkdir -p "$folder/state" "$folder/log"
    cat >"$SLURM_CONF" <<END
ClusterName=aleator
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
$1
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

node() { # name, port
    echo "NodeName=$1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$2 CPUs=1 State=UNKNOWN"
}

start() {
    if ! pgrep -x munged >/dev/null; then
        install -d -o munge -g munge /run/munge
        runuser -u munge -- /usr/sbin/munged
    fi
    configure "$(node a 17101; node b 17102)"
    slurmctld
    until scontrol ping | grep -q UP; do sleep 0.2; done
    for name in a b; do slurmd -N $name; done
    until [ "$(sinfo -h -t idle -o %D)" = 2 ]; do sleep 0.2; done
    sinfo
}

stop() {
    for pid in "$folder"/slurmd.*.pid "$folder"/slurmctld.pid; do
        [ ! -e "$pid" ] || kill "$(cat "$pid")"
    done
}

"$1"
