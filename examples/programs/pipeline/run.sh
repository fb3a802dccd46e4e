#!/bin/sh
# Runs passes of mlir-opt in an order, such as 0,2,1,3,4,5,6, and prints how many
# operations are left, a vector's or a loop's once.
# usage: run.sh ORDER UNROLL      MLIR_OPT names the program (mlir-opt)
passes="canonicalize cse lower-affine affine-loop-unroll{unroll-factor=$2}
affine-loop-invariant-code-motion affine-scalrep affine-loop-fusion"
pipeline=
for position in $(echo "$1" | tr , ' '); do
  pipeline=$pipeline,$(echo $passes | cut -d' ' -f$((position + 1)))
done
"${MLIR_OPT:-mlir-opt}" "$(dirname "$0")/loops.mlir" \
  --pass-pipeline="builtin.module(func.func(${pipeline#,}))" --mlir-print-op-generic |
  grep -c '"[a-z]*\.[a-z_]*"('
