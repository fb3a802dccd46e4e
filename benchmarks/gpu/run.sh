#!/usr/bin/env bash
# Answers all bars of the work for GPUs, on a machine with an NVIDIA GPU and baco:
#
#   benchmarks/gpu/run.sh BIN FOLDER [--reduced]
#
# with the tools of the build in BIN. Writes to FOLDER limits.csv, what times are
# compared with; a folder for each study; space, 512 configurations of a matmul as a
# recorded space for baco-bench-search; and bars, a table of the bars. Exits with
# 1 if one is missed or has no answer. Takes some hours; trials that a study's
# journal has aren't run again. CUBLAS=FILE is the library to compare with, PTXAS=FILE
# NVIDIA's assembler. With --reduced, extents and budgets are small enough for a GPU
# that only pretends; times mean nothing then.
set -euo pipefail
if [[ $# -lt 2 || $# -gt 3 || ${3:---reduced} != --reduced ]]; then
  sed -n 's/^#   benchmarks/usage: benchmarks/p' "$0" >&2
  exit 1
fi
bin=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
size=1024 tensor_size=4096 copy_size=8192 budget=120 paper_budget=60 variants=512
options=(--setup-timeout=7200000)
isReduced=
if [[ -n ${3:-} ]]; then
  isReduced=1
  size=64 tensor_size=64 copy_size=64 budget=2 paper_budget=2 variants=4
  options=(--trial-time=1 --final-time=1)
fi
if [[ -n ${PTXAS:-} ]]; then
  options+=("--ptxas=$PTXAS")
fi

"$bin/baco-bench-gpu" --limits --size="$size" --tensor-size="$tensor_size" \
  ${isReduced:+--repeats=3} ${CUBLAS:+"--cublas=$CUBLAS"} >"$folder/limits.csv"
chip=$(sed -n '1s/.*, \(sm_[0-9]*\), .*/\1/p' "$folder/limits.csv")

# The payload FILE, with the extents of this run.
payload() { # FILE
  local script
  script=$(sed -n 's,^// Reduced by: ,,p' "$here/$1")
  sed -E "${isReduced:+$script}" "$here/$1"
}
# Failures of a study are in its log: the table says that it has no answer.
tune() { # NAME PAYLOAD BUDGET OPTION...
  local name=$1 file=$2 number=$3
  shift 3
  mkdir -p "$folder/$name"
  "$bin/baco-tune-driver" "$file" --target=cuda:"$chip" --seed=1 \
    --budget="$number" --output-dir="$folder/$name" "${options[@]}" "$@" \
    >"$folder/$name/log" 2>&1 || echo "$name: see $folder/$name/log" >&2
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
payload automatic/products.mlir >"$work/products.mlir"
sed -E "s/x${size}x/x${tensor_size}x/g; s/<${size}x/<${tensor_size}x/g" \
  "$work/products.mlir" >"$work/large.mlir"
tune f32 "$work/products.mlir" "$budget" --entry=matmul
tune tf32 "$work/large.mlir" "$budget" --entry=tf32
tune f16 "$work/large.mlir" "$budget" --entry=halves
payload automatic/copy.mlir >"$work/copy.mlir"
tune copy "$work/copy.mlir" "$budget" --caches=flushed
for kernel in mm asum scal kmeans harris stencil; do
  payload "paper/$kernel.mlir" >"$work/$kernel.mlir"
  more=()
  # The tolerance for sums of 2^24 terms in f32 is as large as the result.
  [[ $kernel == asum ]] && more=(--tolerance=0.02)
  tune "$kernel" "$work/$kernel.mlir" "$paper_budget" "${more[@]}"
  "$here/set-defaults.py" "$work/$kernel.mlir" "$here/paper/experts.json" "$kernel" \
    >"$work/$kernel-expert.mlir"
  tune "$kernel-expert" "$work/$kernel-expert.mlir" 1 "${more[@]}"
done

# The recorded space: times in ns, as baco-bench-search reads them.
matmul_size=$size
[[ $isReduced ]] && matmul_size=32
sed "s/1024/$matmul_size/g" "$here/matmul-f32.mlir" >"$work/matmul.mlir"
"$here/lower-variants.sh" "$bin" "$work/matmul.mlir" "$folder/space" "$variants" 1 "$chip"
BACO_BENCH_GPU=$bin/baco-bench-gpu "$here/measure.sh" "$folder/space" \
  "$folder/matmul-f32.csv" --size="$matmul_size" ${isReduced:+--repeats=3}
"$here/record-space.py" "$folder/matmul-f32.csv" "$folder/space/space.json" \
  >"$folder/space/measured.csv"

code=0
"$here/bars.py" "$folder" "$size" "$tensor_size" "$copy_size" "$variants" \
  >"$folder/bars" || code=$?
cat "$folder/bars"
exit "$code"
