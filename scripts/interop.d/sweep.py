"""The table of a sweep: Parquet as pandas and Polars read it, against its CSV."""

import sys

import pandas as pd
import polars as pl

stem = sys.argv[1]
csv = pd.read_csv(f"{stem}.csv")
by_pandas = pd.read_parquet(f"{stem}.parquet")
by_polars = pl.read_parquet(f"{stem}.parquet")

assert list(by_pandas.columns) == list(csv.columns) == by_polars.columns
assert len(csv) == len(by_pandas) == by_polars.height > 100
pd.testing.assert_frame_equal(by_pandas, csv, check_exact=True, check_dtype=False)
for name in csv.columns:
    assert by_polars[name].to_list() == by_pandas[name].tolist(), name
assert by_polars.schema["seed"] == pl.Int64 and by_polars.schema["planner.distance_weight"] == pl.Float64
means = by_polars.group_by("planner.name").agg(pl.col("smse").mean()).sort("planner.name")
assert means["planner.name"].to_list() == ["myopic", "random"]
