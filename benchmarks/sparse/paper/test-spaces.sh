#!/usr/bin/env bash
# Compares the spaces in this folder with Table 3 of Hellsten et al., "BaCO: A Fast and
# Portable Bayesian Compiler Optimization Framework" (ASPLOS 2023): all configurations,
# and those that satisfy the known constraints.
# usage: test-spaces.sh BIN, with the tools of a build
set -euo pipefail
if [[ $# -ne 1 ]]; then
  sed -n 's/^# usage:/usage:/p' "$0" >&2
  exit 1
fi
bin=$(realpath "$1")
cd "$(dirname "$0")"
source ../../common/space-sizes.sh

check() { # KERNEL ALL FEASIBLE
  expect_sizes "$1" "$1.json" "$2" "$3"
}
# As in the table, to its two digits: 3.0e6 of 1.5e7, 6.0e6 of 1.5e7, 6.8e5 of 1.5e6.
check spmv 15120000 3024000
check ttv 15120000 6048000
check mttkrp 1512000 680400
# 4.7e4 and 7.8e4 feasible ones, both of 5.2e11 there; but that is 9^2 * 5! * 9 * 6 * 2.
check spmm 1049760 46656
check sddmm 1049760 77760
