// Targets that there aren't, and evaluators that don't go with them.
// DEFINE: %{tune} = baco-tune-driver %s --output-dir=%t
// RUN: %exits 1 %{tune} --target=gpu 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: %exits 1 %{tune} --target=cpu:sm_90 2>&1 | FileCheck %s --check-prefix=CPU-CHIP
// RUN: %exits 1 %{tune} --target=nvvm:sm_61 --evaluator=static 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: %exits 1 %{tune} --target=nvvm --evaluator=static 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// RUN: %exits 1 %{tune} --target=nvvm:sm_90:+ptx999 --evaluator=static 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: %exits 1 %{tune} --target=nvvm:sm_90 2>&1 | FileCheck %s --check-prefix=JIT
// RUN: echo 'func.func @g(%a: memref<64xf32>) { return }' > %t.empty.mlir
// RUN: %exits 1 baco-tune-driver %t.empty.mlir --target=nvvm:sm_90 --evaluator=static 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not baco-opt %s --baco-autotune=target=nvvm:sm_1 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: sed 's/linalg.fill/linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[8, 16]>>]>]>}/' %s > %t.cpu.mlir
// RUN: %exits 3 baco-tune-driver %t.cpu.mlir --output-dir=%t --target=nvvm:sm_90 --evaluator=static 2>&1 | FileCheck %s --check-prefix=CPU-RECIPE

// KIND: {{^}}baco-tune-driver: error: target must be cpu, nvvm:CHIP, cuda:CHIP, opencl:DEVICE or fpga:DEVICE, but is 'gpu'{{$}}
// CPU-CHIP: {{^}}baco-tune-driver: error: target must be cpu, nvvm:CHIP, cuda:CHIP, opencl:DEVICE or fpga:DEVICE, but is 'cpu:sm_90'{{$}}
// CHIP: {{^}}baco-tune-driver: error: target 'nvvm:sm_61': chip 'sm_61' is unknown; it can be sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120, sm_121{{$}}
// NO-CHIP: error: target 'nvvm': chip '' is unknown; it can be sm_70, {{.*}}, sm_121
// FEATURE: error: target 'nvvm:sm_90:+ptx999': feature '+ptx999' is unknown to LLVM
// JIT: {{^}}baco-tune-driver: error: target nvvm:sm_90: candidates can't be run; add --evaluator=static{{$}}
// NOTHING: error: nothing to tune for sm_90: no schedule, no 'baco.recipe', and no op that can be annotated automatically; see docs/Gpu.md
// PASS: error: target 'nvvm:sm_1': chip 'sm_1' is unknown; it can be sm_70
// CPU-RECIPE: error: 'f' has no schedule that works: {{.*}}'linalg.fill' isn't in a kernel; give each op of the function a recipe with gpu_blocks and gpu_threads

func.func @f(%a: memref<64xf32>, %x: f32) {
  linalg.fill
    ins(%x : f32) outs(%a : memref<64xf32>)
  return
}
