#!/usr/bin/env python3
"""Compares search techniques on the functions of this folder.

Each run is one of baco-tune-driver with estimated costs, so that failures and
the time of an estimate are those of a user. Prints a table, and appends it to
FILE with --markdown:

  best known   the least cost of all runs here, and of --enumerate
  within 1 %   runs that end within 1 % of the best known cost
  to it        median evaluations until then; runs that don't count as budget + 1
  cost / best  geometric mean of the runs' ends over the best known cost
  factor       the budget over the evaluations that baco needs, in the geometric
               mean of its runs, for what the technique has found with all of it
"""

import argparse
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
KERNELS = {"bfs": 20, "preeuler": 60, "audio": 60, "edge": 60}
TECHNIQUES = {
    "baco": "baco",
    "atf-bandit": "ATF's",
    "forest": "ytopt's",
    "random": "uniform",
    "random-walk": "biased",
}


def run(arguments, kernel, technique, seed, budget):
    """The costs of the evaluations, None for failures."""
    optimizer = arguments.baco if technique == "baco" else technique
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                arguments.tool,
                FOLDER / f"{kernel}.mlir",
                f"--target=fpga:{arguments.target}",
                "--evaluator=static",
                f"--optimizer={optimizer}",
                f"--budget={budget}",
                f"--seed={seed}",
                f"--in-flight={arguments.in_flight}",
                f"--output-dir={folder}",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        lines = (pathlib.Path(folder) / f"{kernel}.trials.jsonl").read_text()
    trials = [json.loads(line) for line in lines.splitlines()]
    return [t["time_ns"] if t["status"] == "ok" else None for t in trials]


def best_so_far(costs, budget):
    """The least cost after each evaluation, filled up to the budget."""
    least, curve = math.inf, []
    for cost in costs:
        least = min(least, math.inf if cost is None else cost)
        curve.append(least)
    return curve + [least] * (budget - len(curve))


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def compare(curves, known, budget):
    """A row of numbers for each technique; `curves` by technique."""
    mean = [geometric_mean(c[k] for c in curves["baco"]) for k in range(budget)]
    rows = {}
    for technique, runs in curves.items():
        ends = [c[-1] for c in runs]
        reached = [
            next((k + 1 for k, cost in enumerate(c) if cost <= 1.01 * known),
                 budget + 1)
            for c in runs
        ]
        end = geometric_mean(ends)
        needed = next((k + 1 for k, m in enumerate(mean) if m <= end), None)
        rows[technique] = {
            "within": sum(e <= 1.01 * known for e in ends),
            "reached": statistics.median(reached),
            "ratio": end / known,
            "factor": budget / needed if needed else math.nan,
        }
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", help="baco-tune-driver")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--kernels", default="bfs,preeuler,audio")
    parser.add_argument(
        "--techniques",
        default=",".join(TECHNIQUES),
        help="those to run, baco among them",
    )
    parser.add_argument(
        "--baco",
        default="baco:initial=4",
        help="baco's settings: a model from the fifth trial on",
    )
    parser.add_argument("--target", default="arria10")
    parser.add_argument(
        "--in-flight",
        type=int,
        default=1,
        help="estimates at a time; an estimate takes no longer than a suggestion",
    )
    parser.add_argument(
        "--enumerate",
        default="bfs",
        help="functions of which all configurations are estimated",
    )
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    enumerated = [k for k in arguments.enumerate.split(",") if k]
    techniques = arguments.techniques.split(",")

    lines = [
        "| function | best known | technique | within 1 % | to it | cost / best "
        "| failures per run | factor |",
        "|---|---|---|---|---|---|---|---|",
    ]
    total = {technique: 0 for technique in techniques}
    factors = {technique: [] for technique in techniques}
    kernels = arguments.kernels.split(",")
    for kernel in kernels:
        budget = KERNELS[kernel]
        costs = {
            technique: [
                run(arguments, kernel, technique, seed, budget)
                for seed in range(arguments.first_seed,
                                  arguments.first_seed + arguments.seeds)
            ]
            for technique in techniques
        }
        every = [c for runs in costs.values() for r in runs for c in r if c]
        if kernel in enumerated:
            every += [
                c for c in run(arguments, kernel, "exhaustive", 0, 10**6)
                if c
            ]
        known = min(every)
        rows = compare(
            {t: [best_so_far(r, budget) for r in runs]
             for t, runs in costs.items()}, known, budget)
        for technique, row in rows.items():
            failures = statistics.fmean(
                sum(c is None for c in r) for r in costs[technique])
            total[technique] += row["within"]
            factors[technique].append(row["factor"])
            how = " (all)" if kernel in enumerated else ""
            lines.append(
                f"| {kernel} | {known:.0f}{how} | {TECHNIQUES[technique]} "
                f"| {row['within']} of {arguments.seeds} | {row['reached']:g} "
                f"| {row['ratio']:.3f} | {failures:.1f} "
                f"| {row['factor']:.2f} |")
        print(kernel, file=sys.stderr)
    for technique in techniques:
        lines.append(
            f"| all | | {TECHNIQUES[technique]} | {total[technique]} of "
            f"{len(kernels) * arguments.seeds} | | | "
            f"| {statistics.fmean(factors[technique]):.2f} |")
    print("\n".join(lines))
    if arguments.markdown:
        with arguments.markdown.open("a") as file:
            file.write(
                f"## {arguments.target}, seeds {arguments.first_seed} to "
                f"{arguments.first_seed + arguments.seeds - 1}\n\n"
                f"{datetime.date.today()}; `benchmarks/fpga/compare.py "
                f"build/release/bin/baco-tune-driver "
                f"{' '.join(sys.argv[2:])}`\n\n" + "\n".join(lines) + "\n\n")


if __name__ == "__main__":
    main()
