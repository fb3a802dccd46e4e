// What FPGAs can't have, and options that don't go with them.
// DEFINE: %{tune} = baco-tune-driver %s --output-dir=%t
// DEFINE: %{fpga} = %{tune} --target=fpga:arria10
// RUN: %exits 1 %{tune} --target=fpga:stratix --evaluator=static 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %exits 1 %{tune} --target=fpga --evaluator=static 2>&1 | FileCheck %s --check-prefix=NO-DEVICE
// RUN: %exits 1 %{fpga} 2>&1 | FileCheck %s --check-prefix=JIT
// RUN: %exits 1 %{fpga} --evaluator=static --verify=emulate 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: %exits 1 %{fpga} --evaluator=static --gpus=1 2>&1 | FileCheck %s --check-prefix=GPUS
// RUN: %exits 1 %{fpga} --evaluator=static --tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: %exits 1 %{fpga} --evaluator=static 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: echo 'module attributes {baco.fpga_target = "stratix"} {}' | not baco-opt 2>&1 | FileCheck %s --check-prefix=MARK

// DEVICE: {{^}}baco-tune-driver: error: target 'fpga:stratix': device 'stratix' is unknown; it can be arria10, cyclone5 or ice40{{$}}
// NO-DEVICE: {{^}}baco-tune-driver: error: target 'fpga': device '' is unknown; it can be arria10, cyclone5 or ice40{{$}}
// JIT: {{^}}baco-tune-driver: error: target fpga:arria10: candidates can't be run; add --evaluator=static{{$}}
// VERIFY: error: verify=emulate: target fpga has no use for it; leave it out
// GPUS: error: gpus: target fpga has no use for it; leave it out
// TF32: error: --tf32: an FPGA has no such operators; leave the option out
// NEST: fpga-target-errors.mlir:[[# @LINE + 7]]:3: remark: an FPGA design can't have it: only loops of affine.for, ifs, accesses to memrefs and arithmetic on numbers can be in one
// NEST: error: nothing to tune for fpga:arria10: no schedule, no 'baco.recipe', and no nest of affine loops with a choice; see docs/FPGA.md
// MARK: error: 'builtin.module' op 'baco.fpga_target' must be the name of a device, of a module: arria10, cyclone5 or ice40

func.func @f(%a: memref<64xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<64xf32>
  }
  return
}
