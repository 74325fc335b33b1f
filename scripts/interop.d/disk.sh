#!/usr/bin/env bash
# A disk that fills up during a sweep: a small tmpfs.
source "$(dirname "${BASH_SOURCE[0]}")/common"

disk=$SCRATCH/disk
mkdir "$disk"
if ! mount -t tmpfs -o size=64k transect-interop "$disk" 2>"$SCRATCH/mount.err"; then
    skip "a full disk" "no file system may be mounted here: $(cat "$SCRATCH/mount.err")"
    exit 0
fi
trap 'umount "$disk"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

sweep=("$TRANSECT" --quiet reproduce tables --data "$TRANSECT_DATA/terrain" --terrain N17E073
    --strategy random --kernel rbf --seeds 0..1 --samples 60 --out)
echo "${sweep[*]} $disk/results"
status=0
timeout 300 "${sweep[@]}" "$disk/results" >"$SCRATCH/out" 2>"$SCRATCH/err" || status=$?
sed 's/^/    /' "$SCRATCH/err"
check "a full disk is exit code 1" test "$status" = 1
check "the message names the file and the disk" grep -q "$disk/results/.*No space left.*disk is not full" "$SCRATCH/err"
# shellcheck disable=SC2016
check "no run looks whole that is not" bash -c \
    'for run in $(find "$1" -name run.json); do python3 -m json.tool "$run" && test -s "$(dirname "$run")/metrics.csv" || exit 1; done' \
    - "$disk/results"
mount -o remount,size=8m "$disk"
check "with room again, the sweep is finished" timeout 300 "${sweep[@]}" "$disk/results"
check "the same sweep elsewhere" timeout 300 "${sweep[@]}" "$SCRATCH/elsewhere"
check "both results are equal byte for byte" same_results "$disk/results" "$SCRATCH/elsewhere"
