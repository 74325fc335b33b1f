#!/usr/bin/env bash
# The surveyor's desk against other programs: real logs read with pynmea2 and GDAL, places with pyproj, products with OGR
# and SQLite, plans by QGroundControl's rules.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages gdal-bin python3 python3-venv sqlite3
here=$(dirname "${BASH_SOURCE[0]}")
cd "$SCRATCH"
python3 -m venv venv
venv/bin/pip install --quiet pynmea2 pyproj >pip.log 2>&1 || { tail -n 5 pip.log; exit 1; }
python=$SCRATCH/venv/bin/python
real=$TRANSECT_DATA/real

# read NAME FLAGS...: one log to NAME.csv, everything kept.
read_log() {
    local name=$1
    shift
    "$TRANSECT" soundings "$@" --keep-all --out "$name.csv" >"$name.txt"
}

# --- Logs ------------------------------------------------------------------------------------------

for name in 8399.nmea plaka.log; do
    read_log "$name" "$real/nmea/$name.gz"
    check "pynmea2 finds the same depths and places in $name" "$python" "$here/desk.py" nmea "$real/nmea/$name.gz" "$name.csv"
done
read_log baja "$real/baja/baja-bathymetry.csv.xz"
check "Python's own xz and csv find the same soundings off Baja California" "$python" "$here/desk.py" baja "$real/baja/baja-bathymetry.csv.xz" baja.csv
read_log edge "$real/caputh/all_edgepoints.csv" --crs EPSG:25833
check "pyproj puts the points of Caputh at the same places" "$python" "$here/desk.py" edge "$real/caputh/all_edgepoints.csv" edge.csv
for name in 20250122122110 20250130113805; do
    read_log "$name" "$real/caputh/$name.sum"
    check "angles of $name.sum are those that Python reads" "$python" "$here/desk.py" dms "$real/caputh/$name.sum" "$name.csv"
done

# Every table: columns of x, y and value, from 0, and the flags that name them.
while read -r file x y value flags; do
    name=$(basename "$file")
    # shellcheck disable=SC2086
    read_log "$name" "$real/$file" $flags
    check "Python's csv finds the same soundings in $name" "$python" "$here/desk.py" table "$real/$file" "$name.csv" "$x" "$y" "$value"
done <<'TABLES'
csv/agh.csv 11 10 12
grohn/grohn26082021.csv 4 3 2
grohn/grohn26082021_raw.csv 4 3 2 --x 5 --y 4 --value 3
grohn/261005.LOG 4 3 2 --x 5 --y 4 --value 3
csv/jura__jura.pred.csv 2 3 6 --value Cd
csv/jura__jura.val.csv 2 3 6 --value Cd
csv/sic_obs.csv 1 2 3
csv/sic_full.csv 1 2 3
csv/sic2004__sic.train.csv 1 2 3 --value day01
csv/sic2004__sic.test.csv 1 2 3 --value dayx
csv/sic2004__sic.val.csv 1 2 3 --value dayx
csv/walker.csv 1 2 3 --value V
csv/walker_test.csv.gz 2 3 1 --value V
heaton/satellite.csv.gz 0 1 3 --value TrueTemp
TABLES

# --- Products --------------------------------------------------------------------------------------

"$TRANSECT" --quiet --json map "$TRANSECT_DATA/lake/soundings_1hz.csv.gz" --area "$TRANSECT_DATA/lake/shore.geojson" \
    --shore-depth 0 --cell 10 --out lake.tif >lake.json
check "SQLite finds the GeoPackage whole" bash -c '[ "$(sqlite3 lake.gpkg "pragma integrity_check")" = ok ]'
for file in lake.gpkg lake.contours.geojson lake.contours.dxf; do
    check "OGR counts the contours of $file" "$python" "$here/desk.py" contours lake.json "$file"
done
check "OGR places the contours of GeoPackage and GeoJSON alike" "$python" "$here/desk.py" alike lake.gpkg lake.contours.geojson
check "GDAL knows unit and meaning of the map" bash -c 'gdalinfo lake.tif | tee /dev/stderr | grep -q "Unit Type: m" && gdalinfo lake.tif | grep -q "positive downwards"'
check "the volume of the lake is right within 1 % and its interval holds it" "$python" "$here/desk.py" volume lake.json "$TRANSECT_DATA/lake/depth_2m.npy.gz"
check "areas by level are right within 2 % of the lake, and their intervals hold them" "$python" "$here/desk.py" hypsometry lake.json "$TRANSECT_DATA/lake/depth_2m.npy.gz"
"$TRANSECT" --quiet --json map "$real"/caputh/2025*.sum --area "$real/caputh/waterbody.shp" --shore-depth 0 --level "$real/caputh/waterlevel.csv" \
    --datum 0.77 --kernel matern32 --cell 5 --out caputh.tif >caputh.json
check "OGR finds the same area of Lake Caputh in its Shapefile" "$python" "$here/desk.py" shore caputh.json "$real/caputh/waterbody.shp"
ogr2ogr -q -t_srs EPSG:32633 shore.gpkg "$TRANSECT_DATA/lake/shore.geojson"
ogr2ogr -q -t_srs EPSG:25833 shore.shp "$TRANSECT_DATA/lake/shore.geojson"
ogr2ogr -q shore.kml "$TRANSECT_DATA/lake/shore.geojson"
for file in shore.gpkg shore.shp shore.kml; do
    check "an outline that OGR wrote is the same area: $file" "$python" "$here/desk.py" outline "$TRANSECT" "$TRANSECT_DATA" "$file" lake.json
done

# --- Tomorrow --------------------------------------------------------------------------------------

"$TRANSECT" next "$TRANSECT_DATA/lake/soundings_1hz.csv.gz" --area "$TRANSECT_DATA/lake/shore.geojson" --time 1h --out next >next.txt
check "the plan keeps the rules of QGroundControl's file format" "$python" "$here/desk.py" plan next.plan
check "OGR reads the route" bash -c 'ogrinfo -ro -so next.gpx routes | tee /dev/stderr | grep -q "Feature Count: 1"'
