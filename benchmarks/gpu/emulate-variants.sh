#!/usr/bin/env bash
# Checks a sample of the space of a payload without a GPU:
#
#   benchmarks/gpu/emulate-variants.sh BIN PAYLOAD FOLDER [NUMBER [SEED [EXTENT]]]
#
# with the tools of the build in BIN. The extents of the payload, all the same,
# become EXTENT (128). Runs NUMBER different configurations (30) in baco's
# emulator and compares the results with plain code. Exit code 1 if one is wrong;
# FOLDER/failures.txt says why.
set -euo pipefail
if [[ $# -lt 3 ]]; then
  sed -n 's/^#   benchmarks/usage: benchmarks/p' "$0" >&2
  exit 1
fi
bin=$(realpath "$1") payload=$(realpath "$2") folder=$3
number=${4:-30} seed=${5:-1} extent=${6:-128}
mkdir -p "$folder"
cd "$folder"
rm -f failures.txt

sed -E "s/memref<[0-9]+x[0-9]+x/memref<${extent}x${extent}x/g" "$payload" >plain.mlir
"$bin/baco-opt" plain.mlir --baco-expand-recipes >schedule.mlir
"$bin/baco-opt" schedule.mlir --baco-extract-space=output=space.json -o /dev/null
# Draws are independent: those that repeat are left out.
"$bin/baco" space sample space.json --number=$((2 * number)) --seed="$seed" |
  awk -v n="$number" '!seen[$0]++ && ++count <= n' >configurations.json

right=0
while read -r configuration; do
  if "$bin/baco-opt" schedule.mlir \
    --baco-concretize="configuration=$configuration" --transform-interpreter \
    --baco-lower-to-nvvm=format=llvm \
    --baco-emulate-kernels=reference=plain.mlir -o /dev/null 2>error </dev/null; then
    right=$((right + 1))
  else
    echo "$configuration: $(head -n 1 error)" >>failures.txt
  fi
done <configurations.json
rm -f error
count=$(wc -l <configurations.json)
echo "$right of $count configurations are right"
[[ $right == "$count" ]]
