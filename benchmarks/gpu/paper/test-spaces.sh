#!/usr/bin/env bash
# Compares the spaces of the kernels in this folder with Table 3 of Hellsten et al.,
# "BaCO: A Fast and Portable Bayesian Compiler Optimization Framework" (ASPLOS 2023):
# all configurations, and those that satisfy the known constraints.
# usage: test-spaces.sh BIN, with the tools of a build
set -euo pipefail
if [[ $# -ne 1 ]]; then
  sed -n 's/^# usage:/usage:/p' "$0" >&2
  exit 1
fi
bin=$(realpath "$1")
cd "$(dirname "$0")"
source ../../common/space-sizes.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # KERNEL ALL FEASIBLE
  "$bin/baco-opt" "$1.mlir" --baco-expand-recipes \
    --baco-extract-space="output=$work/$1.json ignore-advisory" -o /dev/null
  expect_sizes "$1" "$work/$1.json" "$2" "$3"
}
# As in the table, to its two digits: 3.6e3 of 1.4e4, twice; 4.2e6 of 3.9e7; 6.3e4 of
# 1.2e6 (which it truncates); 1.5e8 (of 1.1e11 there, but the product of the sizes of
# the domains is 1.16e10).
check stencil 14641 3641
check kmeans 14641 3641
check scal 39589264 4201714
check asum 1285625 63954
check mm 11623211721 154888140
# 1.0e7 of 7.7e9 there: here tiles must divide the image.
check harris 7706114658 364100
