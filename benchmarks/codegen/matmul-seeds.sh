#!/usr/bin/env bash
# Tunes examples/matmul.mlir with several seeds, says where the time went, and
# compares each result with OpenBLAS on one thread, interleaved in one process.
#
# usage: benchmarks/codegen/matmul-seeds.sh [--check] [--budget=N]
#                                           [--markdown=FILE] [SEEDS] [BUILD]
#
# SEEDS (10) is their number, N (60) the evaluations of each, BUILD
# (build/release) the build directory. With --check, fails unless at least 8 of
# 10 reach 0.93 of OpenBLAS, 8 of 10 take at most 6 s, and in 8 of 10 the
# bottleneck of the trials (compiling or the measured CPU) is busy for 90 % of
# them. The times are meant for two idle CPUs. With --markdown, also writes the
# table to FILE.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/seeds.sh"
read_options 60 "$@"

for ((seed = 1; seed <= seeds; ++seed)); do
  # Seconds of the whole command, as a user sees them.
  start=$(date +%s.%N)
  "$build/bin/baco-tune-driver" "$here/../../examples/matmul.mlir" \
    --budget="$budget" --seed="$seed" --output-dir="$work/$seed" \
    >/dev/null 2>&1
  date +%s.%N | awk -v start="$start" '{ print $1 - start }' \
    >"$work/$seed/seconds"
  "$build/bin/baco-bench-matmul" --json "${options[@]}" \
    "$work/$seed/matmul.tuned.mlir" >"$work/$seed/blas.json"
done

python3 - "$work" "$seeds" "$command" "$budget" <<'PY'
import json, sys
work, seeds, command, budget = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
columns = ["seed", "OpenBLAS / ours", "wall, s", "set-up, s", "trials, s",
           "finals, s", "bottleneck", "busy", "configuration"]
rows, notes = [], []
reached = fast = busy = 0
for seed in range(1, seeds + 1):
    folder = "%s/%d/" % (work, seed)
    ratio = json.load(open(folder + "blas.json"))["ratio"]
    wall = float(open(folder + "seconds").read())
    kernel = json.load(open(folder + "matmul.summary.json"))["kernels"][0]
    rows.append([str(seed), "%.3f" % ratio, "%.2f" % wall,
                 "%.2f" % kernel["setup_seconds"],
                 "%.2f" % kernel["trial_seconds"],
                 "%.2f" % kernel["final_seconds"], kernel["bottleneck"],
                 "%.0f %%" % (100 * kernel["busy_share"]),
                 json.dumps(kernel["configuration"])])
    notes += ["seed %d: %s" % (seed, note) for note in kernel["notes"]]
    reached += ratio >= 0.93
    fast += wall <= 6
    busy += kernel["busy_share"] >= 0.9
notes += ["%d of %d reach 0.93 of OpenBLAS" % (reached, seeds),
          "%d of %d take at most 6 s" % (fast, seeds),
          "%d of %d keep the bottleneck busy for 90 %% of the trials" % (
              busy, seeds)]
for row in [columns] + rows:
    print("%4s  %-15s  %7s  %9s  %9s  %9s  %-10s  %5s  %s" % tuple(row))
print("\n".join(notes))
json.dump({"program": "matmul-seeds.sh", "command": command,
           "title": "matmul-seeds.sh", "columns": columns, "rows": rows,
           "notes": notes + [budget + " evaluations with each seed"]},
          open(work + "/table.json", "w"))
open(work + "/reached", "w").write("%d %d %d\n" % (reached, fast, busy))
PY
read -ra reached <"$work/reached"
finish "${reached[@]}"
