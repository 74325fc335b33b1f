#!/usr/bin/env bash
# Missions served to browsers while they run: real browsers, 200 viewers, strangers, and the journal that must not change.
# FUZZ says for how many seconds random requests are sent (600 were, once).
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages chromium python3
# Debian's, unless there is another.
command -v npm >/dev/null || install_packages nodejs npm
here=$(dirname "${BASH_SOURCE[0]}")
export TOOLS=$SCRATCH/tools
mkdir "$TOOLS"
(cd "$TOOLS" && npm init -y && npm install --silent playwright-core axe-core) >"$SCRATCH/npm.log" 2>&1
(cd "$root" && cargo build --release --quiet -p transect-cli -p transect-survey --features transect-survey/live --bin transect --example viewers)
viewers=$(dirname "$TRANSECT")/examples/viewers
page() { timeout 180 node "$here/page.mjs" "$@"; }
client() { timeout 900 python3 "$here/live.py" "$@"; }

# serve NAME COMMAND...: starts a program that prints `live: LINK`, and waits for the link.
served=
serve() {
    local name=$1
    shift
    "$@" >"$SCRATCH/$name.log" 2>&1 &
    served=$!
    until_true 60 grep -q '^live: ' "$SCRATCH/$name.log"
    link=$(sed -n 's/^live: //p' "$SCRATCH/$name.log" | head -n 1)
}
stop() { kill "$served" 2>/dev/null && wait "$served" 2>/dev/null || true; }
trap stop EXIT

# --- From a journal ------------------------------------------------------------------------------------------------

"$TRANSECT" --quiet demo --out "$SCRATCH/demo" >/dev/null
serve watch "$TRANSECT" watch "$SCRATCH/demo" --live 18461 --speed 80
check "a mission that has ended is shown as it went, news within 2 s" page live "$link"
check "nothing overlaps or overflows on a live page" page layout "$link"
check "axe-core finds nothing serious on a live page" page axe "$link"
check "strangers are refused" client refused "$link"
check "a port that is taken is named, with what to do" bash -c \
    '! "$TRANSECT" watch "$0/demo" --live 18461 >"$0/taken" 2>&1 && grep -q "127.0.0.1:18461.*--live 18462" "$0/taken"' "$SCRATCH"
check "random requests do no harm" client fuzz "$link" "${FUZZ:-20}"
check "it still runs" kill -0 "$served"
stop
check "a page goes on after its server was away" page reconnect http://127.0.0.1:18462/ \
    "$TRANSECT" watch "$SCRATCH/demo" --live 18462 --speed 80

# --- With a token --------------------------------------------------------------------------------------------------

address=$(python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("192.0.2.1", 9)); print(s.getsockname()[0])' 2>/dev/null || echo 127.0.0.1)
serve token "$TRANSECT" watch "$SCRATCH/demo" --live 0.0.0.0:18463 --speed 80
check "an address of other machines comes with a token" grep -qE '^http://[^/]+/\?token=[0-9a-f]{32}$' <<<"$link"
check "and without it nothing is told" client refused "$link"
check "with it, the page is there" page live "$link"
stop

# --- While it runs -------------------------------------------------------------------------------------------------

# A rehearsal at ten times the pace of the clock, watched as it happens.
serve field "$TRANSECT" field --simulate --speed-up 10 --set budget.time_s=900 --out "$SCRATCH/field" --live 18464 --live-control
check "a rehearsal is shown while it runs" page live "$link" without-map
check "commands need the page's own token and a confirmation, and are carried out" page control "$link"
check "the vehicle came home for it" bash -c 'wait_for() { for _ in $(seq 300); do grep -q "operator" "$0/field/field.log" && return; sleep 0.2; done; return 1; }; wait_for' "$SCRATCH"
wait "$served" || true

# with_viewers OUT PORT: a mission with 200 viewers, ten of which never read; prints the times of its decisions.
with_viewers() {
    local out=$1 port=$2
    mkfifo "$SCRATCH/$out.go"
    "$viewers" "$SCRATCH/$out" "$port" <"$SCRATCH/$out.go" >"$SCRATCH/$out.times" &
    local mission=$!
    exec 9>"$SCRATCH/$out.go"
    until_true 30 grep -q http "$SCRATCH/$out.times"
    # Viewers are elsewhere: here they may have what the mission leaves.
    nice -n 19 timeout 900 python3 "$here/live.py" viewers "http://127.0.0.1:$port/" 300 >"$SCRATCH/$out.viewers" &
    local crowd=$!
    until_true 60 grep -q here "$SCRATCH/$out.viewers"
    echo go >&9
    exec 9>&-
    wait "$mission" && wait "$crowd"
}
without_viewers() { "$viewers" "$SCRATCH/$1" >"$SCRATCH/$1.times"; }

for i in 1 2 3; do
    without_viewers "alone$i"
    check "a mission with 200 viewers, ten of which never read ($i)" with_viewers "crowd$i" $((18470 + i))
    check "its journal is the same to the byte ($i)" cmp "$SCRATCH/alone$i/journal.mcap" "$SCRATCH/crowd$i/journal.mcap"
done
# The 99th percentile of the time of a decision, the median over the runs, with viewers and without. Other work on this machine
# moves it, too: by as much as runs without viewers differ, nothing can be told.
times() {
    python3 - "$SCRATCH" <<'PYTHON'
import pathlib, statistics, sys
folder = pathlib.Path(sys.argv[1])
def percentile(name):
    times = sorted(map(float, (folder / f"{name}.times").read_text().splitlines()[-1].split()))
    assert len(times) > 200, f"only {len(times)} decisions"
    return times[int(0.99 * (len(times) - 1))]
alone, crowd = ([percentile(f"{name}{i}") for i in range(1, 4)] for name in ("alone", "crowd"))
noise = max(alone) - min(alone)
base, busy = statistics.median(alone), statistics.median(crowd)
show = lambda values: ", ".join(f"{value:.0f}" for value in values)
print(f"99th percentile of a decision: {show(alone)} ms alone, {show(crowd)} ms with 200 viewers: {100 * (busy / base - 1):+.0f} %")
if noise > 0.1 * base:
    print(f"runs without viewers differ by {100 * noise / base:.0f} %: 10 % cannot be told here")
sys.exit(busy > 1.1 * base + noise)
PYTHON
}
check "and 99 of 100 decisions take as long as without, within 10 % and what this machine's other work does" times
cat "$SCRATCH/check.log"

serve loris "$TRANSECT" run <("$TRANSECT" init mission) --set budget.soundings=400 --out "$SCRATCH/loris" --live 18480
check "1,000 connections that dawdle leave a mission alone" bash -c 'timeout 60 python3 "$0" loris "$1" 8' "$here/live.py" "$link"
wait "$served" || true
check "which ended as it should" grep -q '^report: ' "$SCRATCH/loris.log"
