#!/usr/bin/env python3
"""Joins the trials of two studies of one kernel by configuration: one by time
on a GPU, the other by static cost. Writes a table as measure.sh does, for rank.py.

usage: trials.py TIMES.trials.jsonl COSTS.trials.jsonl
"""

import csv
import json
import sys


def read(path):
    """The trials of a file by configuration, as text with sorted keys."""
    with open(path, encoding="utf-8") as file:
        trials = [json.loads(line) for line in file]
    return {
        json.dumps(trial["configuration"], sort_keys=True): trial
        for trial in trials
        if "configuration" in trial
    }


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    times, costs = read(sys.argv[1]), read(sys.argv[2])
    knobs = list(next(iter(times.values()))["configuration"])
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(knobs + ["cost", "status", "milliseconds", "registers", "spill_bytes"])
    for key, trial in times.items():
        cost = costs.get(key, {}).get("time_ns")
        time = trial.get("time_ns")
        resources = trial.get("resources", {})
        table.writerow(
            [trial["configuration"][knob] for knob in knobs]
            + [
                "" if cost is None else round(cost),
                trial["status"],
                "" if time is None else f"{time / 1e6:.6g}",
                resources.get("registers", ""),
                resources.get("spill_bytes", ""),
            ]
        )


if __name__ == "__main__":
    main()
