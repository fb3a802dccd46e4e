#!/usr/bin/env python3
"""Tunes sparse kernels with several techniques and seeds, and compares the
searches with the expert's configuration, and their wall time with the BaCO
paper's. The same command continues what was killed: a run that has ended isn't
repeated."""

import argparse
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import sys

from cases import BUDGETS, add_options, fail, load_average, selected_cases

# Seconds of wall time in the paper's Table 10, by row, and by the technique
# that is nearest to its: ATF, Ytopt, uniform and CoT sampling.
PAPER_SECONDS = {
    "spmm": {"baco": 262, "atf-bandit": 144, "forest": 309, "random-raw": 402,
             "random": 336},
    "sddmm": {"baco": 263, "atf-bandit": 197, "forest": 274, "random-raw": 433,
              "random": 381}}
# As precise as a trial's time is (docs/Measurement.md): who finds the expert's
# configuration itself has reached it.
PRECISION = 1.015
# What --check asks for.
LEAST_SHARE, MOST_SPMM_SECONDS = 0.8, 30


def measure(case, kind, folder, arguments):
    """What became of one run of the tuner; it is run unless it was."""
    result = folder / "result.json"
    if not result.exists():
        # A run that was killed would have times of its second part only.
        shutil.rmtree(folder, ignore_errors=True)
        load = load_average()
        case.tune(kind, folder, arguments)
        summary = json.loads((folder / (kind + ".summary.json")).read_text())
        outcome = {"load": load, "kernel": summary["kernels"][0], "times": [
            float(row["time_ns"]) if row["status"] == "ok" else None
            for row in case.trials(kind, folder)]}
        partial = folder / "result.part"
        partial.write_text(json.dumps(outcome))
        partial.rename(result)
    return json.loads(result.read_text())


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def progress(runs, budget):
    """The geometric mean over runs of the best time after each evaluation."""
    curves = []
    for run in runs:
        worst = max(time for time in run["times"] if time)
        best, curve = math.inf, []
        for k in range(budget):
            if k < len(run["times"]) and run["times"][k]:
                best = min(best, run["times"][k])
            curve.append(min(best, worst))
        curves.append(curve)
    return [geometric_mean(times) for times in zip(*curves)]


def evaluations_to(curve, time):
    return next((k + 1 for k, best in enumerate(curve) if best <= time), None)


def means(values):
    """Arithmetic and geometric mean of what there is, and of how many."""
    values = [value for value in values if value]
    if not values:
        return ["-", "-", "0"]
    return ["%.1f" % statistics.fmean(values),
            "%.1f" % geometric_mean(values), str(len(values))]


class Comparison:
    """All runs of one case."""

    def __init__(self, case, budget, experts, runs):
        self.case, self.budget, self.runs = case, budget, runs
        self.expert = statistics.median(experts)
        self.default = statistics.median(
            run["times"][0] for each in runs.values() for run in each
            if run["times"][0])
        self.curves = {name: progress(each, budget)
                       for name, each in runs.items()}

    def reached(self, name):
        """Of how many runs a trial is as fast as the expert."""
        return sum(min(time for time in run["times"] if time) <=
                   self.expert * PRECISION for run in self.runs[name])

    def evaluations(self, name):
        return evaluations_to(self.curves[name], self.expert * PRECISION)

    def factor(self, name):
        """Table 9: how many times fewer evaluations baco needs for the best of
        another technique."""
        needed = evaluations_to(self.curves["baco"], self.curves[name][-1])
        return needed and self.budget / needed


def measure_case(case, options):
    budget = options.budget or case.budget
    common = ["--cpu=%d" % options.cpu]
    final = (["--final-time=%d" % options.final_time]
             if options.final_time else [])
    experts, runs = [], {name: [] for name in options.optimizers}
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    for seed in seeds:
        # Others compile beside it, as they do beside the searches' trials.
        expert = measure(case, "expert", case.folder / ("expert-%d" % seed),
                         ["--optimizer=random", "--budget=8",
                          "--final-time=1"] + common)
        if not expert["times"][0]:
            fail("the expert's configuration of %s fails" % case.name)
        experts.append(expert["times"][0])
        for name in options.optimizers:
            folder = case.folder / ("%s-%d-%d" % (
                name.replace(":", "-"), budget, seed))
            runs[name].append(measure(
                case, "default", folder,
                ["--optimizer=" + name, "--seed=%d" % seed,
                 "--budget=%d" % budget] + common + final))
        print("%s, %s: seed %d of %d" % (case.row, case.name, seed, seeds[-1]),
              flush=True)
    return Comparison(case, budget, experts, runs)


def case_table(comparisons, options):
    rows = []
    for each in comparisons:
        for name in options.optimizers:
            curve, budget = each.curves[name], each.budget
            evaluations = each.evaluations(name)
            rows.append([each.case.row, each.case.name, name] + [
                "%.3f" % (each.expert / curve[k - 1])
                for k in (max(1, budget // 3), max(1, budget * 2 // 3), budget)
            ] + ["%.3f" % (each.default / curve[-1]),
                 "%d of %d" % (each.reached(name), options.seeds),
                 str(evaluations) if evaluations else ">%d" % budget,
                 "-" if name == "baco" or "baco" not in each.runs else
                 "%.2f" % each.factor(name) if each.factor(name) else "-"])
    return {"title": "Live searches of sparse kernels and the expert",
            "columns": ["kernel", "data", "technique", "tiny", "small", "full",
                        "to the default", "reach it", "evaluations",
                        "baco: fewer"],
            "rows": rows,
            "notes": ["tiny, small, full: time of the expert / best time after "
                      "a third, two thirds and all of the evaluations "
                      "(geometric mean over seeds), as the trials measured "
                      "them; reach it: of the runs, within the 1.5 % of "
                      "a trial's precision; evaluations: after which the mean "
                      "does; baco: fewer: how many times fewer evaluations baco needs for "
                      "what the technique finds with all (the paper's Table 9)"]}


def total_table(comparisons, options):
    rows = []
    for name in options.optimizers:
        reached = sum(each.reached(name) for each in comparisons)
        total = options.seeds * len(comparisons)
        speed = geometric_mean([each.expert / each.curves[name][-1]
                                for each in comparisons])
        factors = [each.factor(name) if "baco" in each.runs and name != "baco"
                   else None for each in comparisons]
        rows.append([name, "%.3f" % speed, "%d of %d" % (reached, total),
                     "%.0f %%" % (100 * reached / total)] +
                    means([each.evaluations(name) for each in comparisons]) +
                    means(factors))
    return {"title": "Live searches of sparse kernels, all cases",
            "columns": ["technique", "expert / best time", "runs that reach it",
                        "share", "evaluations, arithmetic", "geometric",
                        "cases", "baco: fewer, arithmetic", "geometric",
                        "cases"],
            "rows": rows,
            "notes": ["means over the cases where the number exists; the paper "
                      "has 77 % for BaCO in TACO, and 3.15 (ATF), 5.00 "
                      "(Ytopt), 4.96 (uniform) and 4.32 (CoT) times fewer "
                      "evaluations"]}


def wall_table(comparisons, options):
    columns = ["kernel", "technique", "wall", "run", "compile", "search",
               "set-up", "final comparison", "beyond run", "paper's wall"]
    rows = []
    for row in BUDGETS:
        for name in options.optimizers:
            kernels = [run["kernel"] for each in comparisons
                       if each.case.row == row for run in each.runs[name]]
            if not kernels:
                continue

            def mean(key):
                return statistics.fmean(kernel[key + "_seconds"]
                                        for kernel in kernels)
            wall, run_seconds = mean("wall"), mean("run")
            rows.append([row, name] + [
                "%.2f" % seconds for seconds in
                (wall, run_seconds, mean("compile"), mean("search"),
                 mean("setup"), mean("final"), wall - run_seconds)] +
                [str(PAPER_SECONDS.get(row, {}).get(name, "-"))])
    loads = [run["load"] for each in comparisons
             for runs in each.runs.values() for run in runs]
    return {"title": "Wall time of a tune of a sparse kernel, in seconds",
            "columns": columns, "rows": rows,
            "notes": ["means over data and seeds; candidates are compiled while "
                      "others run, so that the parts overlap; run: trials in "
                      "the kernel and their checks; the paper's (Table 10) is "
                      "on two Xeons with 16 cores each, and other data",
                      "load average before the runs: %.1f to %.1f" % (
                          min(loads), max(loads))]}


def print_table(table):
    rows = [table["columns"]] + table["rows"]
    widths = [max(map(len, column)) for column in zip(*rows)]
    print("\n" + table["title"])
    for row in rows:
        print("  ".join(cell.ljust(width)
                        for cell, width in zip(row, widths)).rstrip())
    print("\n".join(table["notes"]))


def check(comparisons, options):
    """Whether the bars are met."""
    bars = []
    total = options.seeds * len(comparisons)
    reached = sum(each.reached("baco") for each in comparisons)
    bars.append(("baco reaches the expert in %.0f %% of the runs, at least "
                 "%.0f %%" % (100 * reached / total, 100 * LEAST_SHARE),
                 reached >= LEAST_SHARE * total))
    for name in options.optimizers:
        if name == "baco":
            continue
        both = [(each.evaluations("baco"), each.evaluations(name))
                for each in comparisons
                if each.evaluations("baco") and each.evaluations(name)]
        if both:
            ratio = geometric_mean([theirs / ours for ours, theirs in both])
            bars.append(("%s needs %.2f times as many evaluations until the "
                         "expert, more than 1 (%d cases)" % (
                             name, ratio, len(both)), ratio > 1))
    beyond = [run["kernel"]["wall_seconds"] - run["kernel"]["run_seconds"]
              for each in comparisons if each.case.row == "spmm"
              for run in each.runs["baco"]]
    if beyond:
        bars.append(("a tune of spmm takes up to %.1f s beyond its kernels, "
                     "less than %d s" % (max(beyond), MOST_SPMM_SECONDS),
                     max(beyond) < MOST_SPMM_SECONDS))
    for text, holds in bars:
        print("bar: %s: %s" % (text, "yes" if holds else "NO"))
    return all(holds for _, holds in bars)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--optimizers", default="baco,random",
                        metavar="NAME,...", help="as of baco-tune-driver "
                        "(default: baco,random)")
    parser.add_argument("--seeds", type=int, default=5, metavar="N",
                        help="searches of each technique on each case (5)")
    parser.add_argument("--first-seed", type=int, default=1, metavar="N",
                        help="the first seed (1)")
    parser.add_argument("--budget", type=int, default=0, metavar="N",
                        help="evaluations (default: the paper's, 60 or 70)")
    parser.add_argument("--final-time", type=int, default=0, metavar="MS",
                        help="as of baco-tune-driver (default: its own)")
    parser.add_argument("--markdown", metavar="FILE",
                        help="also writes the tables to this file")
    parser.add_argument("--check", action="store_true",
                        help="exits with 1 if a bar is missed")
    parser.add_argument("work", type=pathlib.Path,
                        help="folder for all runs, from which the same command "
                        "goes on")
    options = parser.parse_args()
    options.optimizers = [name for name in options.optimizers.split(",") if name]
    if options.seeds < 1 or options.budget < 0 or not options.optimizers:
        fail("--seeds must be at least 1, --budget not negative, and "
             "--optimizers not empty")
    if options.check and "baco" not in options.optimizers:
        fail("--check needs baco among the optimizers")
    tabulate = pathlib.Path(options.build) / "bin" / "baco-bench-table"
    if options.markdown:
        subprocess.run([tabulate, "--check", options.markdown], check=True)
    comparisons = [measure_case(case, options)
                   for case in selected_cases(options, options.work)]
    command = "live.py " + " ".join(
        argument for argument in sys.argv[1:]
        if not argument.startswith("--markdown"))
    for make in case_table, total_table, wall_table:
        table = make(comparisons, options)
        print_table(table)
        if options.markdown:
            subprocess.run(
                [tabulate, options.markdown], check=True, text=True,
                input=json.dumps({"program": "live.py", "command": command,
                                  **table}))
    if options.check and not check(comparisons, options):
        sys.exit(1)


main()
