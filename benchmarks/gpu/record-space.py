#!/usr/bin/env python3
"""Makes a table of a recorded space, as baco-bench-search reads it, from what
measure.sh has written: parameters, times in nanoseconds and statuses.

usage: record-space.py RESULTS.csv SPACE.json
"""

import csv
import json
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        knobs = [parameter["name"] for parameter in json.load(file)["parameters"]]
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(knobs + ["time", "status"])
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            time = row["milliseconds"]
            table.writerow(
                [row[knob] for knob in knobs]
                + [f"{1e6 * float(time):.6g}" if time else "", row["status"]]
            )


if __name__ == "__main__":
    main()
