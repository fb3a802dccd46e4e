#!/usr/bin/env bash
# Runs PROGRAM on sources of which one payload has a mistake.
#
# usage: test-wrong-kernel.sh PROGRAM FOLDER
set -euo pipefail
kernels=$2/wrong-kernels
rm -rf "$kernels"
cp -r "$(dirname "$0")/kernels" "$kernels"
# The last weight of the average is left out.
sed -i 's/%A\[%i + 1\]/%A[%i]/' \
  "$kernels/polybench/jacobi-1d.mlir"
"$1" --small --row=polybench --case=jacobi-1d --kernels="$kernels"
