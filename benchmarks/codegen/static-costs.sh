#!/usr/bin/env bash
# Spearman's rank correlation of static costs and measured times, over random
# configurations of a matmul and a convolution of this benchmark; exits with 2
# if one is below 0.6.
# usage: static-costs.sh BACO_BENCH_COST [OPTION...]
set -euo pipefail
program=$1
shift
kernels=$(cd "$(dirname "$0")" && pwd)/kernels
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/{{[MNK]}}/512/g; s/{{T}}/f32/g' "$kernels/matmul.mlir" \
  > "$folder/matmul.mlir"
sed 's/{{[HW]+2}}/58/g; s/{{[HW]}}/56/g; s/{{[CF]}}/64/g; s/{{T}}/f32/g' \
  "$kernels/conv.mlir" > "$folder/conv.mlir"
"$program" "$folder/matmul.mlir" "$folder/conv.mlir" --ignore-advisory \
  --bar=0.6 "$@"
