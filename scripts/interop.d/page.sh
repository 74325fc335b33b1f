#!/usr/bin/env bash
# The pages of missions in a real browser (Playwright with Debian's Chromium), against what GDAL reads from the maps beside
# them; accessibility with axe-core. SHOTS=FOLDER keeps a picture of each page at each width, light and dark.
# The picture of README and book, made again: PICTURE=docs/book/src/page.png scripts/interop page
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages chromium gdal-bin
# Debian's, unless there is another.
command -v npm >/dev/null || install_packages nodejs npm
here=$(dirname "${BASH_SOURCE[0]}")
export TOOLS=$SCRATCH/tools
mkdir "$TOOLS"
(cd "$TOOLS" && npm init -y && npm install --silent playwright-core axe-core) >"$SCRATCH/npm.log" 2>&1

# page CHECK PAGE...: one check of page.mjs.
page() {
    timeout 180 node "$here/page.mjs" "$@"
}

"$TRANSECT" --quiet demo --out "$SCRATCH/demo" >/dev/null
"$TRANSECT" --quiet field --simulate --out "$SCRATCH/field" --set budget.time_s=900 >/dev/null
"$TRANSECT" --quiet map "$SCRATCH/demo/soundings.csv" --out "$SCRATCH/lake.tif" >/dev/null
demo=$SCRATCH/demo/report.html field=$SCRATCH/field/report.html map=$SCRATCH/lake.report.html
crs=EPSG:$(gdalinfo -json "$SCRATCH/field/map.tif" | python3 -c 'import json, sys; print(json.load(sys.stdin)["stac"]["proj:epsg"])')

if [ -n "${PICTURE:-}" ]; then
    check "the picture of README and book is made again" page picture "$demo" "$PICTURE"
fi
check "the page of the demo says what GDAL reads from its map" page hover "$demo" "$SCRATCH/demo/map.tif" Elevation
check "so does that of a rehearsal on the water, in degrees too" page hover "$field" "$SCRATCH/field/map.tif" Depth "$crs"
check "so does that of a map of soundings" page hover "$map" "$SCRATCH/lake.tif" value
check "wheel, buttons, fingers and drags move it" page zoom "$demo"
check "layers and marks are drawn" page layers "$demo" mean,std,error,truth soundings,track,fence,contours
check "profiles agree with the map" page profile "$demo"
check "the slider goes back in time" page slider "$demo"
check "the slider of a rehearsal, too" page slider "$field"
check "everything works from the keyboard" page keyboard "$demo"
for name in demo field map; do
    check "nothing overlaps or overflows at 400, 1280 and 2560 px ($name)" page layout "${!name}"
    check "axe-core finds nothing serious ($name)" page axe "${!name}"
done
check "it answers within 100 ms on a slow machine" page speed "$demo"
check "it prints" page print "$demo"
check "the demo's page has less than 3 MB" test "$(stat -c %s "$demo")" -lt 3000000

# --- A mission without a reading ------------------------------------------------------------------------------------

"$TRANSECT" init mission >"$SCRATCH/mission.toml"
check "a mission that brings nothing still leaves a page" bash -c \
    '! "$TRANSECT" --quiet run "$0/mission.toml" --set budget.soundings=1 --out "$0/nothing" && test -s "$0/nothing/report.html"' "$SCRATCH"
check "and that page works" page empty "$SCRATCH/nothing/report.html" "There is no map"
