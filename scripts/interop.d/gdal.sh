#!/usr/bin/env bash
# Terrains: GDAL reads what we write, and we read what GDAL writes, in each format that both know: size, place,
# coordinate system, NoData, statistics, and the heights of a hundred cells.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages gdal-bin python3
(cd "$root" && cargo build --release --quiet --package transect-io --example export)
export EXPORT=${EXPORT:-$(dirname "$TRANSECT")/examples/export}
cd "$SCRATCH"

# agree SOURCE [GDAL_SOURCE]
agree() {
    python3 "$root/scripts/interop.d/gdal.py" agree "$@"
}

# --- What we write -------------------------------------------------------------------------------

for name in jacksboro three-lands two-spots river crater quarry; do
    "$EXPORT" "$name" "$name.tif" </dev/null
    check "GDAL agrees on the map of $name" agree "$name" "$name.tif"
done
"$EXPORT" jacksboro metres.tif --metres </dev/null
check "jacksboro in metres is what gdalwarp makes of it" python3 "$root/scripts/interop.d/gdal.py" warped
check "a map larger than a tile has overviews and a band name" \
    bash -c 'gdalinfo jacksboro.tif >info && grep -q "Overviews: 202x172" info && grep -q "Description = height" info'

# --- What GDAL writes ----------------------------------------------------------------------------

# variant NAME OPTION... SOURCE: GDAL writes NAME from SOURCE with these options; we must agree on it.
variant() {
    local out=$1
    shift
    gdal_translate -q "$@" "$out"
    # What the format cannot hold itself would be told to GDAL only.
    rm -f "$out.aux.xml"
    check "we agree on $out ($*)" agree "$out"
}
for compress in NONE LZW DEFLATE PACKBITS; do
    variant "strips-$compress.tif" -co COMPRESS=$compress two-spots.tif
    variant "tiles-$compress.tif" -co COMPRESS=$compress -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=64 two-spots.tif
done
variant predictor2.tif -ot Int16 -co COMPRESS=LZW -co PREDICTOR=2 jacksboro.tif
variant predictor3.tif -co COMPRESS=DEFLATE -co PREDICTOR=3 -co TILED=YES jacksboro.tif
for type in Byte UInt16 Int16 UInt32 Int32 Float64; do
    variant "$type.tif" -ot $type -scale 0 1000 0 250 -a_nodata none jacksboro.tif
done
variant big-endian.tif -ot Int16 -co ENDIANNESS=BIG jacksboro.tif
variant big-endian-float.tif -co ENDIANNESS=BIG -co COMPRESS=LZW crater.tif
variant bigtiff.tif -co BIGTIFF=YES jacksboro.tif
variant no-data.tif -ot Int16 -a_nodata 300 jacksboro.tif
variant no-data-float.tif -a_nodata -9999 metres.tif
variant point.tif -mo AREA_OR_POINT=Point jacksboro.tif
variant two-bands.tif -b 1 -b 1 crater.tif
variant planes.tif -b 1 -b 1 -co INTERLEAVE=BAND crater.tif
variant grid.asc -of AAIGrid -co DECIMAL_PRECISION=3 crater.tif
variant in-utm.asc -of AAIGrid metres.tif
variant grid.xyz -of XYZ quarry.tif
variant grid.csv -of XYZ -co COLUMN_SEPARATOR=, -co ADD_HEADER_LINE=YES crater.tif
variant grey.png -of PNG -ot UInt16 jacksboro.tif
# Decoders of JPEG may round differently.
TOLERANCE=2 variant grey.jpg -of JPEG -ot Byte -scale 200 1100 0 255 jacksboro.tif
gdalwarp -q -t_srs EPSG:4326 -te -85.0004166666667 35.9995833333333 -83.9995833333333 37.0004166666667 -ts 1201 1201 \
    -ot Int16 -dstnodata -32768 jacksboro.tif tile.tif
variant N36W085.hgt -of SRTMHGT tile.tif
gzip -k N36W085.hgt
check "a tile packed by gzip is the same" agree N36W085.hgt.gz N36W085.hgt
python3 -m zipfile -c N36W085.hgt.zip N36W085.hgt
check "a tile in a zip archive is what GDAL finds there" agree N36W085.hgt.zip /vsizip/N36W085.hgt.zip/N36W085.hgt
