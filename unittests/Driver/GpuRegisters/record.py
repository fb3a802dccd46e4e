#!/usr/bin/env python3
"""Records the registers that ptxas gives kernels, as test data.

usage: record.py BIN kernels.mlir [PTXAS [DRAWS [SEED]]] >sm_90.csv

Draws configurations (16) of the space of each function of kernels.mlir with
SEED (1), has baco-tune-driver in BIN compile them for an sm_90, and prints what
PTXAS (auto) says of each, the most of any kernel of the function.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile


def main():
    if not 3 <= len(sys.argv) <= 6:
        sys.exit(__doc__.split("\n\n")[1])
    given = sys.argv[3:] + ["auto", "16", "1"][len(sys.argv) - 3 :]
    ptxas, draws, seed = given
    with open(sys.argv[2], encoding="utf-8") as file:
        functions = re.findall(r"func\.func @(\w+)\(", file.read())
    program = "ptxas" if ptxas == "auto" else ptxas
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    release = version.stdout.split()[-1]
    print(f"# {release}; record.py BIN {os.path.basename(sys.argv[2])} PTXAS {draws} {seed}")
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["function", "configuration", "registers", "spill_bytes"])
    for function in functions:
        with tempfile.TemporaryDirectory() as folder:
            tuned = subprocess.run(
                [
                    os.path.join(sys.argv[1], "baco-tune-driver"),
                    sys.argv[2],
                    f"--entry={function}",
                    "--target=nvvm:sm_90",
                    "--evaluator=static",
                    f"--ptxas={ptxas}",
                    "--optimizer=random",
                    f"--budget={draws}",
                    f"--seed={seed}",
                    f"--output-dir={folder}",
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            if tuned.returncode:
                sys.exit(f"record.py: @{function}: {tuned.stderr}")
            names = [name for name in os.listdir(folder) if name.endswith(".trials.jsonl")]
            with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
                trials = [json.loads(line) for line in file]
        for trial in trials:
            if "resources" not in trial:
                sys.exit(f"record.py: @{function}: {trial.get('message', trial['status'])}")
            table.writerow(
                [
                    function,
                    json.dumps(trial["configuration"]),
                    trial["resources"]["registers"],
                    trial["resources"]["spill_bytes"],
                ]
            )


if __name__ == "__main__":
    main()
