// For a GPU with tensor cores, channels-first convolutions that they can do become channels-last; the head
// of the schedule says so. Right in the emulator.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate \
// RUN:   --budget=2 --seed=1 --entry=halves --output-dir=. > out.txt
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=layout-tensor-cores.schedule.mlir
// RUN: grep -c '"status":"ok"' layout-tensor-cores.trials.jsonl | FileCheck %s --check-prefix=TRIALS
// RUN: baco-opt %s --baco-channels-last='layout=tensor-cores entry=halves' --baco-decompose-for-gpu \
// RUN:   --transform-preload-library=transform-library-paths=layout-tensor-cores.schedule.mlir \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=TUNED
// Older GPUs have none, and keep what the file has.
// RUN: baco-tune-driver %s --target=nvvm:sm_75 --evaluator=static --budget=1 --output-dir=old > out.txt
// RUN: FileCheck %s --check-prefix=OLD --input-file=old/layout-tensor-cores.schedule.mlir

// TRIALS: {{^}}2{{$}}
// SCHEDULE: --'baco-channels-last=layout=tensor-cores entry=halves' \
// SCHEDULE: transform.baco.gpu_mma
// OLD-NOT: baco-channels-last
// TUNED-LABEL: func.func @halves(
// TUNED:         nvvm.mma.sync

func.func @halves(%x: tensor<1x32x10x10xf16>, %k: tensor<32x32x3x3xf16>) -> tensor<1x32x8x8xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x32x8x8xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<1x32x8x8xf16>) -> tensor<1x32x8x8xf16>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x32x10x10xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<1x32x8x8xf16>) -> tensor<1x32x8x8xf16>
  return %c : tensor<1x32x8x8xf16>
}
