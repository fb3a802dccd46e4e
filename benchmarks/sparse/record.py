#!/usr/bin/env python3
"""Records spaces of sparse kernels: measures configurations once, so that
baco-bench-search can replay searches on them. A space of up to --whole
configurations is measured whole, of a larger one --samples random ones are. The
same command continues what was killed."""

import argparse
import datetime
import gzip
import io
import csv
import json
import pathlib
import statistics

from cases import (add_options, cpu_model, fail, load_average, run,
                   selected_cases)

# Statuses that say nothing about the configuration.
UNKNOWN = {"cancelled", "lost"}


def journal_value(parameter, text):
    """A value as configurations have it, from a cell of the table."""
    if parameter["kind"] == "permutation":
        return [int(element) for element in text.strip("()[]").split(",")
                if element.strip()]
    if parameter["kind"] == "boolean":
        return text in ("1", "true")
    for value in parameter.get("values", []):
        if str(value) == text:
            return value
    try:
        return int(text)
    except ValueError:
        return text


def write_table(path, parameters, rows):
    names = [parameter["name"] for parameter in parameters]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names + ["status", "time_ns"])
    for row in rows:
        time = "%.0f" % float(row["time_ns"]) if row["status"] == "ok" else ""
        writer.writerow([row[name] for name in names] + [row["status"], time])
    # Without the time of writing, equal tables are equal files.
    path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def record(case, output, options):
    """Fills a folder of `output`."""
    target = output / case.row / case.folder.name.removeprefix(case.row + "-")
    if (target / "SOURCE.md").exists():
        print("%s: recorded" % target, flush=True)
        return
    target.mkdir(parents=True, exist_ok=True)
    space = case.space()
    count = int(space["count"])
    is_whole = count <= options.whole and not space.get("count_is_bound")
    budget = count if is_whole else options.samples
    # Nobody needs the final comparison.
    common = ["--cpu=%d" % options.cpu, "--final-time=1"]
    search = ["--optimizer=" + ("exhaustive" if is_whole else "random"),
              "--seed=%d" % options.seed, "--budget=%d" % budget]
    print("%s: %d of %d configurations" % (target, budget, count), flush=True)
    load = [load_average()]
    case.tune("default", case.folder / "trials", search + common)
    case.tune("expert", case.folder / "expert", ["--budget=1"] + common)
    load.append(load_average())
    rows = [row for row in case.trials("default", case.folder / "trials")
            if row["status"] not in UNKNOWN]
    expert = case.trials("expert", case.folder / "expert")[0]
    if expert["status"] != "ok":
        fail("the expert's configuration of %s: %s: %s" % (
            case.name, expert["status"], expert["message"]))
    parameters = space["parameters"]
    names = [parameter["name"] for parameter in parameters]

    def key(row):
        return tuple(row[name] for name in names)
    if key(expert) not in map(key, rows):
        rows.append(expert)
    if is_whole and len(rows) != count:
        fail("%s has %d configurations, but %d were measured: run it again" % (
            case.name, count, len(rows)))
    (target / "space.json").write_text(json.dumps(space, indent=1) + "\n")
    (target / "expert.json").write_text(json.dumps(
        {parameter["name"]: journal_value(parameter, expert[parameter["name"]])
         for parameter in parameters}) + "\n")
    write_table(target / ("results.csv.gz" if is_whole else "measured.csv.gz"),
                parameters, rows)
    write_source(target, case, options, rows, count, is_whole, key(expert), key,
                 load)


def write_source(target, case, options, rows, count, is_whole, expert, key,
                 load):
    times = [float(row["time_ns"]) for row in rows if row["status"] == "ok"]
    known = {key(row): row for row in rows}
    tuner = case.tools / "baco-tune-driver"
    version = next((line.strip() for line in
                    run([tuner, "--version"]).splitlines() if "baco" in line),
                   "baco")
    (target / "SOURCE.md").write_text("""# %s on %s

%s configurations meet the known constraints; %s, of which %d
work. Nanoseconds: best %.0f, median %.0f, worst %.0f, default %s,
expert %.0f.

Made by `benchmarks/sparse/record.py` with seed %d on one CPU of an
%s, %s, %s.
The machine's load average was %.1f before and %.1f after; this program's is
about 1.5. Under the license of the project.
""" % (case.row, case.name, count,
       "all are measured" if is_whole else
       "%d random ones\n(and the expert's) are measured, and replays are on "
       "predictions from them,\nwhich makes this a surrogate table" % len(rows),
       len(times), min(times), statistics.median(times), max(times),
       "%.0f" % float(rows[0]["time_ns"]) if rows[0]["status"] == "ok"
       else rows[0]["status"],
       float(known[expert]["time_ns"]), options.seed, cpu_model(), version,
       datetime.date.today(), load[0], load[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--whole", type=int, default=2500, metavar="N",
                        help="the largest space that is measured whole (2500)")
    parser.add_argument("--samples", type=int, default=2000, metavar="N",
                        help="configurations of a larger one (2000)")
    parser.add_argument("--seed", type=int, default=1,
                        help="which ones (1)")
    parser.add_argument("output", type=pathlib.Path,
                        help="gets a folder ROW/CASE for each space, and "
                        "'work' with journals, which may be deleted in the end")
    options = parser.parse_args()
    if options.samples < 1 or options.whole < 1:
        fail("--samples and --whole must be at least 1")
    for case in selected_cases(options, options.output / "work"):
        record(case, options.output, options)


main()
