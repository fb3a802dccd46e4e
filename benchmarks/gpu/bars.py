#!/usr/bin/env python3
"""Says which bars of the work for GPUs are met, from the folder that run.sh has
written: a table in Markdown. Exits with 1 if one is missed or has no answer.

usage: bars.py FOLDER SIZE TENSOR-SIZE COPY-SIZE VARIANTS

The sizes are extents of the products and of the copied matrix; VARIANTS is how
many configurations were drawn.
"""

import csv
import json
import math
import os
import sys

KERNELS = ["mm", "asum", "scal", "kmeans", "harris", "stencil"]


def read_limits(folder):
    with open(os.path.join(folder, "limits.csv"), encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["limit"]: float(row["value"]) for row in rows}


def least_time(folder, name):
    """In nanoseconds; infinite if nothing was right."""
    least = math.inf
    path = os.path.join(folder, name)
    for entry in sorted(os.listdir(path)) if os.path.isdir(path) else []:
        if not entry.endswith(".trials.jsonl"):
            continue
        with open(os.path.join(path, entry), encoding="utf-8") as file:
            for line in file:
                trial = json.loads(line)
                if trial["status"] == "ok":
                    least = min(least, trial["time_ns"])
    return least


def ratio(numerator, denominator):
    """None if one isn't known."""
    if numerator is None or math.isinf(numerator) or math.isinf(denominator):
        return None
    return numerator / denominator


def count_space(folder):
    """Configurations of the recorded space, and those of them with a time."""
    with open(os.path.join(folder, "space", "measured.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return len(rows), sum(row["status"] == "ok" for row in rows)


def bars_of(folder, size, tensor_size, copy_size, variants):
    limits = read_limits(folder)
    cublas = limits.get("cublas-f32")
    yield (
        "f32: time of cuBLAS / ours",
        ratio(None if cublas is None else 1e6 * cublas, least_time(folder, "f32")),
        0.9,
    )
    for name in ["tf32", "f16"]:
        peak = limits.get(f"peak-{name}")
        time = least_time(folder, name)
        rate = None if math.isinf(time) else 2e-3 * tensor_size**3 / time
        yield (
            f"{name}: rate / peak rate of tensor cores",
            None if peak is None else ratio(rate, peak),
            0.6,
        )
    time = least_time(folder, "copy")
    rate = None if math.isinf(time) else 8 * copy_size**2 / time
    yield "copy: bandwidth / that of the driver's copy", ratio(rate, limits["copy"]), 0.9
    for kernel in KERNELS:
        expert = least_time(folder, f"{kernel}-expert")
        yield f"{kernel}: time of the expert / ours", ratio(expert, least_time(folder, kernel)), 1.0
    rows, right = count_space(folder)
    yield "recorded space: configurations", rows, variants
    yield "recorded space: those with a time", right, 1


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__.split("\n\n")[1])
    missed = 0
    print("| bar | measured | at least | |")
    print("|---|---|---|---|")
    for name, value, least in bars_of(sys.argv[1], *map(int, sys.argv[2:])):
        is_met = value is not None and value >= least
        missed += not is_met
        text = "-" if value is None else f"{value:.3g}"
        verdict = "met" if is_met else "no answer" if value is None else "missed"
        print(f"| {name} | {text} | {least} | {verdict} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
