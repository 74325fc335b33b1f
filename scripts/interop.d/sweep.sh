#!/usr/bin/env bash
# A sweep's table in pandas and Polars, and its figures in a PDF reader.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages poppler-utils python3 python3-venv
here=$(dirname "${BASH_SOURCE[0]}")
cd "$SCRATCH"
python3 -m venv venv
venv/bin/pip install --quiet pandas polars pyarrow >pip.log 2>&1 || { tail -n 5 pip.log; exit 1; }

cat >weights.toml <<'TOML'
[mission]
budget.soundings = 40
kernel.name = "rbf"
companions = []
training.pilot_steps = 5
terrain.extent = [-11.0, -11.0, 11.0, 11.0]
area.rectangle = [-10.0, -10.0, 10.0, 10.0]

[vary]
planner.name = ["myopic", "random"]
planner.distance_weight = [0.25, 1.0]
terrain.source = ["quarry", "crater"]
seed = "0..1"
TOML
"$TRANSECT" --quiet reproduce weights.toml --out out >/dev/null

check "pandas and Polars read the same table from Parquet as from CSV" venv/bin/python "$here/sweep.py" out/sweep-weights
pdftotext out/figures/sweep-weights-smse.pdf words.txt
check "a figure's words can be found in its PDF" grep -q "Soundings" words.txt
check "its PDF has its fonts in it" sh -c "pdffonts out/figures/sweep-weights-smse.pdf | grep -q 'Inter.* yes '"
