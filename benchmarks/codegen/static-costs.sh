#!/usr/bin/env bash
# Spearman's rank correlation of static costs and measured times, over random
# configurations of a matmul and the convolutions of this benchmark; exits with
# 2 if one is below 0.6.
# usage: static-costs.sh BACO_BENCH_COST [OPTION...]
set -euo pipefail
program=$1
shift
kernels=$(cd "$(dirname "$0")" && pwd)/kernels
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/{{[MNK]}}/512/g; s/{{T}}/f32/g; s/{{KIND}}//' "$kernels/matmul.mlir" \
  > "$folder/matmul.mlir"
for sizes in 56,64 28,128 14,256 7,512; do
  extent=${sizes%,*} channels=${sizes#*,}
  sed "s/{{I[HW]}}/$((extent + 2))/g; s/{{[HW]}}/$extent/g
       s/{{[CF]}}/$channels/g; s/{{T}}/f32/g; s/{{R}}/3/g; s/{{S}}/1/g
       s/{{KIND}}//" \
    "$kernels/conv.mlir" > "$folder/conv-$extent.mlir"
done
"$program" "$folder/matmul.mlir" "$folder"/conv-{56,28,14,7}.mlir \
  --ignore-advisory --bar=0.6 "$@"
