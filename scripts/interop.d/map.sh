#!/usr/bin/env bash
# Maps from soundings, looked at with GDAL: place, coordinate system, NoData, statistics, values, contours.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages gdal-bin python3
for program in gdalinfo gdallocationinfo gdaltransform gdal_translate ogrinfo; do
    command -v "$program" >/dev/null || { echo "$program is not there"; exit 1; }
done
here=$(dirname "${BASH_SOURCE[0]}")
cd "$SCRATCH"

# --- Soundings of a real terrain, in longitude and latitude ---------------------------------------

python3 "$here/map.py" soundings "$TRANSECT_DATA/terrain/jacksboro.npy" 2000 s2000.csv
python3 "$here/map.py" soundings "$TRANSECT_DATA/terrain/jacksboro.npy" 50000 s50000.csv

# mapped SECONDS NAME: makes a map and keeps its report. The limit is in seconds of two idle cores, so what counts is
# the processor time that was used, by halves.
mapped() {
    local limit=$1 name=$2
    TIMEFORMAT='%U %S'
    { time "$TRANSECT" --quiet --json map "$name.csv" --out "$name.tif" >"$name.json"; } 2>"$name.time"
    awk -v limit="$limit" '{ s = ($1 + $2) / 2; printf "%.1f s of two cores, %d allowed\n", s, limit; exit !(s < limit) }' "$name.time"
}
check "2000 soundings are mapped within 20 s of two cores" mapped 20 s2000
tail -n 1 "$SCRATCH/check.log"
check "50000 soundings are mapped within 120 s of two cores" mapped 120 s50000
tail -n 1 "$SCRATCH/check.log"
check "what is too much for one model is said" grep -q '"name":"nearest"' s50000.json

# --- What GDAL says about them ---------------------------------------------------------------------

for name in s2000 s50000; do
    gdalinfo -json -stats "$name.tif" >"$name.gdal.json"
    gdal_translate -q -of AAIGrid -b 1 -a_nodata -99999 -co DECIMAL_PRECISION=9 "$name.tif" "$name.asc" 2>/dev/null
    for what in grid statistics values contours; do
        check "GDAL agrees on the $what of $name" python3 "$here/map.py" "$what" "$name"
    done
    check "OGR reads the contours of $name" bash -c \
        'ogrinfo -ro -so -al "$1.contours.geojson" | tee /dev/stderr | grep -q "Geometry: Line String"' - "$name"
done
check "soundings lie where GDAL's own transform puts them" python3 "$here/map.py" place s2000
