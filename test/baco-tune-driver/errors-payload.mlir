// Errors in the file to tune; exit code 1.
// RUN: rm -rf %t && split-file %s %t

// RUN: %exits 1 baco-tune-driver %t/absent.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ABSENT
// ABSENT:     baco-tune-driver: error: cannot open input file '{{.*}}absent.mlir': No such file or directory
// ABSENT-NOT: {{.}}

// RUN: %exits 1 baco-tune-driver %t/broken.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.mlir:1:14: error: expected non-function type
//--- broken.mlir
func.func @f( {

// RUN: %exits 1 baco-tune-driver %t/nothing.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTHING
// NOTHING: nothing.mlir:1:1: remark: not tuned: the shapes of its arguments are dynamic; say which shapes to tune: --shape=f:0=256x256,1=256x256,2=256x256
// NOTHING: {{/nothing.mlir}}: error: nothing to tune: no schedule, no 'baco.recipe', and no op that can be annotated automatically
//--- nothing.mlir
func.func @f(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>)
                outs(%C : memref<?x?xf32>)
  return
}

// RUN: %exits 1 baco-tune-driver %S/Inputs/tiny.mlir --entry=huge 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY
// ENTRY: {{/tiny.mlir}}: error: no function '@huge' to run: there are '@tiny'{{$}}

// RUN: %exits 1 baco-tune-driver %t/several.mlir \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: 2 public functions: say which one to run with the option 'entry'
// SEVERAL: several.mlir:1:1: note: '@first'
// SEVERAL: several.mlir:4:1: note: '@second'
//--- several.mlir
func.func @first() {
  return
}
func.func @second() {
  return
}

// RUN: %exits 1 baco-tune-driver %t/both.mlir \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: both a schedule and 'baco.recipe' attributes: remove one of them
//--- both.mlir
func.func @kernel(%A: memref<32xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[8, 16]>>]>]>}
    ins(%one : f32) outs(%A : memref<32xf32>)
  return
}

// RUN: %exits 1 baco-tune-driver %t/returns.mlir --output-dir=%t/out \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=RETURNS
// RETURNS: returns.mlir:1:1: error: function 'kernel' returns values; return them through memref arguments
//--- returns.mlir
func.func @kernel(%A: memref<32xf32>) -> vector<4xf32> {
  %one = arith.constant dense<1.0> : vector<4xf32>
  return %one : vector<4xf32>
}

// RUN: %exits 1 baco-tune-driver %t/ambiguous.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AMBIGUOUS
// AMBIGUOUS: ambiguous.mlir:3:1: error: a second schedule: keep one of them
// AMBIGUOUS: ambiguous.mlir:1:1: note: the first one
//--- ambiguous.mlir
module @first attributes {transform.with_named_sequence} {
}
module @second attributes {transform.with_named_sequence} {
}

// The plain kernel, which is compiled and run for the expected results.
// RUN: %exits 1 baco-tune-driver %t/crashes.mlir --output-dir=%t/out \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=CRASHES
// CRASHES: crashes.mlir:1:1: error: the plain kernel, which computes the reference, failed (crashed): died of SIG{{[A-Z]+}} while running
//--- crashes.mlir
func.func @kernel(%A: memref<32xf32>) {
  llvm.intr.trap
  return
}

// A limit that can be raised isn't an error of the input.
// RUN: %exits 2 baco-tune-driver %S/Inputs/endless.mlir --setup-timeout=1000 \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: endless measuring the plain lowering, for at most 1.00 s (--setup-timeout)
// ENDLESS: endless.mlir:3:1: error: the plain kernel, which computes the reference, failed (timed-out): {{.*}}; give it more time with baco-tune-driver --setup-timeout, mend a loop that never ends, or take smaller shapes

// RUN: %exits 2 baco-tune-driver %t/hoards.mlir --memory-limit=64 \
// RUN:   --schedule=%S/Inputs/by-hand.mlir --output-dir=%t/out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOARDS
// HOARDS: hoards.mlir:1:1: error: the plain kernel, which computes the reference, failed (out-of-memory): ran out of memory while running (limit 64 MiB); give it more memory with baco-tune-driver --memory-limit, or take smaller shapes
//--- hoards.mlir
func.func @kernel(%A: memref<8xi8>) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %count = arith.constant 1024 : index
  %one = arith.constant 1 : i8
  scf.for %i = %zero to %count step %step {
    %block = memref.alloc() : memref<1048576xi8>
    memref.store %one, %block[%zero] : memref<1048576xi8>
    %address = memref.extract_aligned_pointer_as_index %block
        : memref<1048576xi8> -> index
    %pointer = arith.index_cast %address : index to i64
    llvm.inline_asm has_side_effects "", "r,~{memory}" %pointer : (i64) -> ()
  }
  return
}

// An op that the plain lowering leaves.
// RUN: %exits 1 baco-tune-driver %t/foreign.mlir 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: the plain kernel, which computes the reference, failed (compile-failed): {{.*}}foreign.mlir:4:8: 'emitc.literal' has no lowering to LLVM IR; replace it by ops of arith, math, memref, linalg or loops before tuning{{$}}
//--- foreign.mlir
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
                outs(%C : memref<64x64xf32>)
  %c = emitc.literal "7" : i32
  %f = arith.sitofp %c : i32 to f32
  %i = arith.constant 0 : index
  memref.store %f, %C[%i, %i] : memref<64x64xf32>
  return
}

// Ops for other machines. LLVM's back ends abort where they meet these.
// RUN: %exits 1 baco-tune-driver %t/nvvm.mlir 2>&1 | FileCheck %s --check-prefix=NVVM
// RUN: %exits 1 baco-tune-driver %t/amd.mlir 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: %exits 1 baco-tune-driver %t/ptx.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// NVVM: error: the plain kernel, which computes the reference, failed (compile-failed): {{.*}}nvvm.mlir:4:8: 'nvvm.read.ptx.sreg.tid.x' is LLVM's intrinsic 'llvm.nvvm.read.ptx.sreg.tid.x', which {{.*}} doesn't have; replace it by ops of arith, math or vector{{$}}
// AMD: error: the plain kernel, which computes the reference, failed (compile-failed): {{.*}}amd.mlir:4:8: 'llvm.call_intrinsic' is LLVM's intrinsic 'llvm.amdgcn.workitem.id.x', which {{.*}} doesn't have; replace it by ops of arith, math or vector{{$}}
// PTX: error: the plain kernel, which computes the reference, failed (compile-failed): <inline asm>:1:
//--- nvvm.mlir
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
                outs(%C : memref<64x64xf32>)
  %c = nvvm.read.ptx.sreg.tid.x : i32
  %f = arith.sitofp %c : i32 to f32
  %i = arith.constant 0 : index
  memref.store %f, %C[%i, %i] : memref<64x64xf32>
  return
}
//--- amd.mlir
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
                outs(%C : memref<64x64xf32>)
  %c = llvm.call_intrinsic "llvm.amdgcn.workitem.id.x"() : () -> i32
  %f = arith.sitofp %c : i32 to f32
  %i = arith.constant 0 : index
  memref.store %f, %C[%i, %i] : memref<64x64xf32>
  return
}
//--- ptx.mlir
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
                outs(%C : memref<64x64xf32>)
  %c = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
  %f = arith.sitofp %c : i32 to f32
  %i = arith.constant 0 : index
  memref.store %f, %C[%i, %i] : memref<64x64xf32>
  return
}
