#!/usr/bin/env bash
# Tunes the MM_CPU space of the BaCO paper (kernels/mm-cpu.mlir) with several
# seeds, 100 evaluations each, and compares what each finds with the expert's
# and the default configuration, which take turns with it in one process.
#
# usage: benchmarks/codegen/mm-cpu.sh [--check] [SEEDS] [BUILD] [OPTION...]
#
# SEEDS (10) is how many, BUILD (build/release) the build directory, OPTIONs are
# for baco-bench-codegen, as --cpu=0. With --check, fails unless at least 8 of 10
# are as fast as the expert's.
set -euo pipefail
cd "$(dirname "$0")/../.."

check=0
[[ ${1:-} == --check ]] && { check=1; shift; }
seeds=${1:-10}
build=${2:-build/release}
options=("${@:3}")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((seed = 1; seed <= seeds; ++seed)); do
  "$build/bin/baco-bench-codegen" --row=mm-cpu --budget=100 --seed="$seed" \
    --work-dir="$work/$seed" --json "${options[@]}" >"$work/$seed.json"
  python3 - "$work/$seed.json" "$seed" <<'PY'
import json, sys
case = json.load(open(sys.argv[1]))["rows"][0]["cases"][0]
entries = {entry["label"]: entry for entry in case["entries"]}
print("seed %2s: %5.1f ms, %5.2f x expert, %5.2f x default  %s" % (
    sys.argv[2], entries["ours"]["time_ns"] * 1e-6, entries["expert"]["ratio"],
    entries["default"]["ratio"], case["note"]), flush=True)
PY
done

python3 - "$work" "$seeds" "$check" <<'PY'
import json, sys
work, seeds, check = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1"
reached = 0
for seed in range(1, seeds + 1):
    report = json.load(open("%s/%d.json" % (work, seed)))
    entries = report["rows"][0]["cases"][0]["entries"]
    reached += any(entry["label"] == "expert" and entry["ratio"] >= 1
                   for entry in entries)
print("%d of %d are as fast as the expert's" % (reached, seeds))
if check and reached * 10 < seeds * 8:
    sys.exit(1)
PY
