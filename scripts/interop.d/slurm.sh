#!/usr/bin/env bash
# A sweep on a real Slurm: submitted, one task killed, submitted again, compared with a local sweep.
# The cluster is this host alone, with its own munge, configuration, state and ports.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages munge slurm-wlm
for program in munged slurmctld slurmd sbatch squeue scancel scontrol; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "$program is not there"; exit 1; }
done
PATH=$PATH:/usr/sbin

# --- The cluster ---------------------------------------------------------------------------------

cluster=$SCRATCH/cluster
mkdir -p "$cluster"/{state,spool}
chmod 755 "$SCRATCH" "$cluster"
daemons=()
first=

stop() {
    local status=$? pid
    trap - EXIT
    [ -z "$first" ] || kill "$first" 2>/dev/null || true
    if [ ${#daemons[@]} -gt 1 ]; then
        timeout 10 scancel --user=root >/dev/null 2>&1 || true
        until_true 20 no_jobs || true
    fi
    # The last started goes first: the others serve it.
    for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
        pid=${daemons[i]}
        kill "$pid" 2>/dev/null || true
        until_true 10 gone "$pid" || kill -9 "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    if [ "$status" != 0 ] && [ -d "$cluster" ]; then
        tail -n 15 "$cluster"/*.log 2>/dev/null || true
    fi
    exit "$status"
}
gone() { ! kill -0 "$1" 2>/dev/null; }
no_jobs() { [ -z "$(squeue --noheader)" ]; }
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start NAME COMMAND...: a daemon in the foreground, in our background.
start() {
    local name=$1
    shift
    "$@" >"$cluster/$name.log" 2>&1 &
    daemons+=($!)
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

host=$(hostname -s)
export SLURM_CONF=$cluster/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=interop
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=interop Nodes=$host Default=YES MaxTime=20 State=UP
CONF

head -c 128 /dev/urandom >"$cluster/munge.key"
chmod 600 "$cluster/munge.key"
start munged munged --foreground --force --num-threads=2 --key-file="$cluster/munge.key" \
    --socket="$cluster/munge.socket" --pid-file="$cluster/munged.pid" --seed-file="$cluster/munge.seed" \
    --log-file="$cluster/munged.daemon.log"
until_true 20 munge --no-input --socket="$cluster/munge.socket" || { echo "munged does not answer"; exit 1; }
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd slurmd -D -f "$SLURM_CONF"
idle() { sinfo --noheader --format=%T | grep -qx idle; }
until_true 60 idle || { echo "the node does not become idle"; exit 1; }
echo "$(sbatch --version): one node, two CPUs"

# --- The sweep -----------------------------------------------------------------------------------

# Paths as users write them: relative, and with a space.
mkdir "$SCRATCH/work"
cd "$SCRATCH/work"
ln -s "$TRANSECT_DATA/terrain" terrain
sweep=(reproduce tables --data terrain --terrain N17E073 --strategy random --kernel rbf,ak
    --seeds 0..3 --samples "${SAMPLES:-300}" --profile paper)
runs=8
submit=("${sweep[@]}" --out "on slurm" --submit slurm --tasks 4 --wait)

finished() { find "on slurm/tables" -name run.json -printf '%p %i %T@\n' 2>/dev/null | sort; }
# The process of one task that runs: its batch script has become the program.
running_pid() {
    local task pid
    for task in $(squeue --noheader --array --states=RUNNING --format=%A); do
        for pid in $(scontrol listpids "$task" 2>/dev/null | awk '$1 > 1 {print $1}'); do
            if [ "$(readlink "/proc/$pid/exe")" = "$TRANSECT" ]; then
                echo "$pid"
                return
            fi
        done
    done
}

# Holds a running task as soon as a run has finished: one that is only looked at may be over before it can be killed.
victim=
held_one() {
    [ -n "$(finished)" ] || return 1
    victim=$(running_pid)
    [ -n "$victim" ] && kill -STOP "$victim"
}

echo "transect ${submit[*]}"
status=0
timeout 600 "$TRANSECT" "${submit[@]}" >first.out 2>first.err &
first=$!
until_true 300 held_one || { echo "no task was seen to run: more SAMPLES keep them longer"; cat first.err; exit 1; }
echo "kill -9 $victim, a task of it"
kill -9 "$victim"
wait "$first" || status=$?
first=
sed 's/^/    /' first.err
finished >before
check "a killed task fails the submission with exit code 1" test "$status" = 1
check "its message says what to do" grep -q "submitting again does only what is missing" first.err
check "the runs of the killed task are missing, others are there" \
    bash -c 'n=$(wc -l <before); echo "$n finished"; [ "$n" -gt 0 ] && [ "$n" -lt '"$runs"' ]'
check "what Slurm knows of the task is that it failed" bash -c 'scontrol show job | grep -E "JobState=FAILED|Reason=NonZeroExitCode|RaisedSignal:9"'

echo "transect ${submit[*]}, again"
check "the second submission succeeds" timeout 600 "$TRANSECT" "${submit[@]}"
finished >after
check "every run is there now" test "$(wc -l <after)" = "$runs"
check "no finished run was done again" bash -c '[ -z "$(comm -23 before after)" ]'

check "the same sweep without Slurm" timeout 600 "$TRANSECT" "${sweep[@]}" --out local
check "both results are equal byte for byte" same_results "on slurm" local

# The batch script alone, from another folder, as its comment advises.
rm -r "on slurm/tables/paper/N17E073/random/rbf/seed2"
check "the batch script can be submitted by hand from elsewhere" \
    bash -c 'script=$PWD/"on slurm/slurm/sweep.sbatch"; cd / && timeout 300 sbatch --wait "$script"'
check "it did what was missing" same_results "on slurm" local

check "a submission without --wait prints JSON" \
    bash -c '"$TRANSECT" --json "$@" | python3 -c "import json, sys; assert int(json.load(sys.stdin)[\"job\"]) > 0"' \
    - "${sweep[@]}" --out "on slurm" --submit slurm --tasks 2
check "the queue runs empty" until_true 120 no_jobs
