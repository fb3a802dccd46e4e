#!/usr/bin/env bash
# Lowers a sample of the space of a payload to PTX:
#
#   benchmarks/gpu/lower-variants.sh BIN PAYLOAD FOLDER [NUMBER [SEED [CHIP]]]
#
# with the tools of the build in BIN. Writes to FOLDER: space.json, the space;
# configurations.json, NUMBER different configurations (512), one per line; v0.ptx,
# v1.ptx, ..., their kernels; kernels.list, for baco-bench-gpu; costs.csv, their
# static costs (docs/Gpu.md); and failures.csv, what could not be lowered. Needs no
# GPU.
set -euo pipefail
if [[ $# -lt 3 ]]; then
  sed -n 's/^#   benchmarks/usage: benchmarks/p' "$0" >&2
  exit 1
fi
bin=$(realpath "$1") payload=$(realpath "$2") folder=$3
number=${4:-512} seed=${5:-1} chip=${6:-sm_90}
mkdir -p "$folder"
cd "$folder"
rm -f v*.ptx v*.list v*.cost v*.error kernels.list costs.csv failures.csv

"$bin/baco-opt" "$payload" --baco-expand-recipes >schedule.mlir
"$bin/baco-opt" schedule.mlir --baco-extract-space=output=space.json -o /dev/null
# Draws are independent: those that repeat are left out.
"$bin/baco" space sample space.json --number=$((2 * number)) --seed="$seed" |
  awk -v n="$number" '!seen[$0]++ && ++count <= n' >configurations.json

lower() { # INDEX CONFIGURATION
  nice "$bin/baco-opt" schedule.mlir \
    --baco-concretize="configuration=$2" --transform-interpreter \
    --baco-lower-to-nvvm=chip="$chip" \
    --baco-export-kernels="name=v$1" -o /dev/null 2>"v$1.error" || return 0
  # The sum over the kernels; nothing where one has no cost.
  nice "$bin/baco-opt" schedule.mlir \
    --baco-concretize="configuration=$2" --transform-interpreter \
    --baco-lower-to-nvvm="format=llvm chip=$chip" \
    --baco-static-cost=chip="$chip" -o /dev/null 2>&1 |
    sed -n 's/.*: static cost \([0-9]*\) cycles.*/\1/p; s/.*: error: .*/no/p' |
    awk '/no/ { fails = 1 } { sum += $1 } END { print fails ? "" : sum }' >"v$1.cost"
}
export -f lower
export bin chip
awk -v ORS='\0' '{ print NR - 1; print }' configurations.json |
  xargs -0 -n 2 -P "$(nproc)" bash -c 'lower "$0" "$1"'

count=$(wc -l <configurations.json)
touch kernels.list costs.csv
for ((i = 0; i < count; ++i)); do
  if [[ -e v$i.list ]]; then
    cat "v$i.list" >>kernels.list
    echo "v$i,$(<"v$i.cost")" >>costs.csv
  else
    echo "v$i,$(head -n 1 "v$i.error" | tr ',' ';')" >>failures.csv
  fi
done
rm -f v*.list v*.cost v*.error
echo "$(wc -l <kernels.list) of $count configurations are lowered"
