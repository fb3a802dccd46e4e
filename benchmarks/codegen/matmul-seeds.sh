#!/usr/bin/env bash
# Tunes examples/matmul.mlir with several seeds, says where the time went, and
# compares each result with OpenBLAS on one thread, interleaved in one process.
#
# usage: benchmarks/codegen/matmul-seeds.sh [--check] [SEEDS] [BUILD]
#
# SEEDS (10) is how many, BUILD (build/release) the build directory. With
# --check, fails unless at least 8 of 10 reach 0.93 of OpenBLAS, 8 of 10 take
# at most 6 s, and in 8 of 10 the bottleneck of the trials (compiling or the
# measured CPU) is busy for 90 % of them. The times are meant for two idle CPUs.
set -euo pipefail
cd "$(dirname "$0")/../.."

check=0
[[ ${1:-} == --check ]] && { check=1; shift; }
seeds=${1:-10}
build=${2:-build/release}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((seed = 1; seed <= seeds; ++seed)); do
  # Seconds of the whole command, as a user sees them.
  start=$(date +%s.%N)
  "$build/bin/baco-tune-driver" examples/matmul.mlir --budget=60 \
    --seed="$seed" --output-dir="$work/$seed" >/dev/null 2>&1
  date +%s.%N | awk -v start="$start" '{ print $1 - start }' \
    >"$work/$seed/seconds"
  "$build/bin/baco-bench-matmul" --json "$work/$seed/matmul.tuned.mlir" \
    >"$work/$seed/blas.json"
done

python3 - "$work" "$seeds" "$check" <<'PY'
import json, sys
work, seeds, check = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1"
reached = fast = busy = 0
print("%4s %8s %6s %6s %6s %6s  %-16s %s" % (
    "seed", "vs blas", "wall", "set-up", "trials", "finals", "bottleneck",
    "configuration"))
for seed in range(1, seeds + 1):
    folder = "%s/%d/" % (work, seed)
    ratio = json.load(open(folder + "blas.json"))["ratio"]
    wall = float(open(folder + "seconds").read())
    kernel = json.load(open(folder + "matmul.summary.json"))["kernels"][0]
    print("%4d %8.3f %6.2f %6.2f %6.2f %6.2f  %-10s %3.0f %% %s" % (
        seed, ratio, wall, kernel["setup_seconds"], kernel["trial_seconds"],
        kernel["final_seconds"], kernel["bottleneck"],
        100 * kernel["busy_share"], json.dumps(kernel["configuration"])))
    for note in kernel["notes"]:
        print("     " + note)
    reached += ratio >= 0.93
    fast += wall <= 6
    busy += kernel["busy_share"] >= 0.9
print("%d of %d reach 0.93 of OpenBLAS" % (reached, seeds))
print("%d of %d take at most 6 s" % (fast, seeds))
print("%d of %d keep the bottleneck busy for 90 %% of the trials" % (busy, seeds))
if check and min(reached, fast, busy) * 10 < seeds * 8:
    sys.exit(1)
PY
