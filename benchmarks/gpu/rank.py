#!/usr/bin/env python3
"""Says how static costs rank measured times, by a table in Markdown.

usage: rank.py RESULTS.csv...

A file is what measure.sh or trials.py writes. Rows count whose status is ok and
that have a cost. A cost that several rows share, the least one for instance,
has the first of these rows.
"""

import csv
import os
import statistics
import sys


def ranks_of(values):
    """The rank of each value, from 1; equal ones share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    begin = 0
    for i in range(1, len(order) + 1):
        if i < len(order) and values[order[i]] == values[order[begin]]:
            continue
        for k in order[begin:i]:
            ranks[k] = (begin + 1 + i) / 2
        begin = i
    return ranks


def correlate(x, y):
    """Pearson's correlation; NaN if all values of one are equal."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return float("nan")
    return statistics.correlation(x, y)


def row_of(path):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        pairs = [
            (float(row["cost"]), float(row["milliseconds"]))
            for row in rows
            if row["status"] == "ok" and row["cost"]
        ]
    if not pairs:
        sys.exit(f"rank.py: {path} has no row with a cost and a time")
    costs, times = zip(*pairs)
    ranks = ranks_of(times)
    rho = correlate(ranks_of(costs), ranks)
    # By cost.
    order = sorted(range(len(pairs)), key=lambda i: costs[i])
    least = min(times)
    return " | ".join(
        [
            os.path.basename(path).removesuffix(".csv"),
            str(len(pairs)),
            f"{rho:.2f}",
            f"{least:.4g}",
            f"{statistics.median(times) / least:.2f}",
            f"{times[order[0]] / least:.2f}",
            f"{ranks[order[0]]:g}",
            f"{min(times[i] for i in order[:10]) / least:.2f}",
        ]
    )


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.split("\n")[2])
    print(
        "| results | kernels | Spearman's rho | least time, ms | median / least |"
        " time of the least cost / least | its rank by time |"
        " least time of the ten least costs / least |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for path in sys.argv[1:]:
        print("| " + row_of(path) + " |")


if __name__ == "__main__":
    main()
