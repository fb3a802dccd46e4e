#!/usr/bin/env bash
# Tunes the MM_CPU space of the BaCO paper (kernels/mm-cpu.mlir) with several
# seeds, and compares what each finds with the expert's and the default
# configuration, interleaved in one process.
#
# usage: benchmarks/codegen/mm-cpu.sh [--check] [--budget=N] [--markdown=FILE]
#                                     [SEEDS] [BUILD] [OPTION...]
#
# SEEDS (10) is their number, N (100) the evaluations of each, BUILD
# (build/release) the build directory. OPTIONs such as --cpu=0 are passed to
# baco-bench-codegen. With --check, fails unless at least 8 of 10 are as fast as
# the expert's. With --markdown, also writes the table to FILE.
set -euo pipefail
source "$(dirname "$0")/seeds.sh"
read_options 100 "$@"

for ((seed = 1; seed <= seeds; ++seed)); do
  "$build/bin/baco-bench-codegen" --row=mm-cpu --budget="$budget" \
    --seed="$seed" --work-dir="$work/$seed" --json "${options[@]}" \
    >"$work/$seed.json"
  python3 - "$work/$seed.json" "$seed" <<'PY'
import json, sys
case = json.load(open(sys.argv[1]))["rows"][0]["cases"][0]
entries = {entry["label"]: entry for entry in case["entries"]}
print("seed %2s: %5.1f ms, %5.2f x expert, %5.2f x default  %s" % (
    sys.argv[2], entries["ours"]["time_ns"] * 1e-6, entries["expert"]["ratio"],
    entries["default"]["ratio"], case["note"]), flush=True)
PY
done

python3 - "$work" "$seeds" "$command" "$budget" <<'PY'
import json, sys
work, seeds, command, budget = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
rows, reached = [], 0
for seed in range(1, seeds + 1):
    report = json.load(open("%s/%d.json" % (work, seed)))
    case = report["rows"][0]["cases"][0]
    entries = {entry["label"]: entry for entry in case["entries"]}
    ratio = entries["expert"]["ratio"]
    rows.append([str(seed), case["note"],
                 "%.1f" % (entries["ours"]["time_ns"] * 1e-6), "%.2f" % ratio,
                 "%.2f" % entries["default"]["ratio"]])
    reached += ratio >= 1
verdict = "%d of %d are as fast as the expert's" % (reached, seeds)
print(verdict)
json.dump({"program": "mm-cpu.sh", "command": command, "title": "mm-cpu.sh",
           "columns": ["seed", "configuration", "median ms", "expert / ours",
                       "default / ours"],
           "rows": rows,
           "notes": [verdict + ", at least 8 of 10 should be",
                     budget + " evaluations with each seed"]},
          open(work + "/table.json", "w"))
open(work + "/reached", "w").write(str(reached))
PY
finish "$(cat "$work/reached")"
