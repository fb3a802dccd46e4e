#!/usr/bin/env python3
"""Finds today's static costs of kernels that were measured, for rank.py.

usage: recost.py BIN RESULTS.csv KERNELS.mlir [FUNCTION [CHIP]]

RESULTS.csv is what run.sh or trials.py wrote; KERNELS.mlir has the function, the
only one or FUNCTION, of whose space its rows are configurations. Prints
RESULTS.csv with the costs that baco-opt in BIN finds for CHIP (sm_90), and none
where it finds an error. Takes about 0.3 s of a CPU for each row.
"""

import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def keep_function(path, name):
    """The text of a file without its functions but for one; functions stand at
    the beginning of lines."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not re.search(rf"^func\.func @{name}\(", text, re.M):
        sys.exit(f"recost.py: {path} has no function '@{name}'")
    return re.sub(rf"^func\.func @(?!{name}\().*?^}}$", "", text, flags=re.M | re.S)


def main():
    if not 4 <= len(sys.argv) <= 6:
        sys.exit(__doc__.split("\n\n")[1])
    opt = os.path.join(sys.argv[1], "baco-opt")
    name = sys.argv[4] if len(sys.argv) > 4 else r"\w+"
    chip = sys.argv[5] if len(sys.argv) > 5 else "sm_90"
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = list(file)
    comments = [line for line in lines if line.startswith("#")]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    knobs = rows.fieldnames[: rows.fieldnames.index("cost")]
    with tempfile.TemporaryDirectory() as folder:
        payload = os.path.join(folder, "kernel.mlir")
        schedule = os.path.join(folder, "schedule.mlir")
        with open(payload, "w", encoding="utf-8") as file:
            file.write(keep_function(sys.argv[3], name))
        made = run(
            [opt, payload, f"--baco-annotate=target=nvvm", "--baco-expand-recipes", "-o", schedule]
        )
        if made.returncode:
            sys.exit(f"recost.py: {sys.argv[3]} has no schedule: {made.stderr}")

        def cost(row):
            values = {knob: json.loads(row[knob]) for knob in knobs}
            remarks = run(
                [
                    opt,
                    schedule,
                    f"--baco-concretize=configuration={json.dumps(values)}",
                    "--transform-interpreter",
                    f"--baco-lower-to-nvvm=format=llvm chip={chip}",
                    f"--baco-static-cost=chip={chip}",
                    "-o",
                    os.devnull,
                ]
            )
            found = re.findall(r": static cost (\d+) cycles", remarks.stderr)
            return sum(map(int, found)) if found and not remarks.returncode else ""

        all_rows = list(rows)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            costs = list(pool.map(cost, all_rows))
    sys.stdout.writelines(comments)
    table = csv.DictWriter(sys.stdout, rows.fieldnames, lineterminator="\n")
    table.writeheader()
    for row, found in zip(all_rows, costs):
        row["cost"] = found
        table.writerow(row)


if __name__ == "__main__":
    main()
