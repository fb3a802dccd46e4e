#!/usr/bin/env bash
# Tunes examples/matmul.mlir with several seeds and compares each result with
# OpenBLAS on one thread, interleaved in one process.
#
# usage: benchmarks/codegen/matmul-seeds.sh [--check] [SEEDS] [BUILD]
#
# SEEDS (10) is how many, BUILD (build/release) the build directory. With
# --check, fails unless at least 8 of 10 reach 0.93 of OpenBLAS.
set -euo pipefail
cd "$(dirname "$0")/../.."

check=0
[[ ${1:-} == --check ]] && { check=1; shift; }
seeds=${1:-10}
build=${2:-build/release}
bar=0.93

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
good=0
printf '%4s %10s %8s %8s  %s\n' seed 'vs blas' wall search configuration
for ((seed = 1; seed <= seeds; ++seed)); do
  "$build/bin/baco-tune-driver" examples/matmul.mlir --budget=60 \
    --seed="$seed" --output-dir="$work/$seed" >/dev/null 2>&1
  "$build/bin/baco-bench-matmul" --json "$work/$seed/matmul.tuned.mlir" \
    >"$work/$seed/blas.json"
  python3 - "$work/$seed" "$seed" <<'PY'
import json, sys
folder, seed = sys.argv[1:]
blas = json.load(open(folder + "/blas.json"))
kernel = json.load(open(folder + "/matmul.summary.json"))["kernels"][0]
print("%4s %10.3f %6.1f s %6.2f s  %s" % (
    seed, blas["ratio"], kernel["wall_seconds"], kernel["search_seconds"],
    json.dumps(kernel["configuration"])))
PY
  ratio=$(python3 -c "import json; print(json.load(open('$work/$seed/blas.json'))['ratio'] >= $bar)")
  [[ $ratio == True ]] && good=$((good + 1))
done
echo "$good of $seeds reach $bar of OpenBLAS"
if ((check)) && ((good * 10 < seeds * 8)); then
  exit 1
fi
