// A program that allocates, fills, reads a clock, calls, branches and prints is
// tuned in its parts, and prints what it did before.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=8 --seed=1 --output-dir=%t %quick --verbose 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err --allow-empty
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/prepare-module-programs.tuned.mlir
// RUN: %lower %s | %run > %t/before
// RUN: %lower %t/prepare-module-programs.tuned.mlir | %run | diff %t/before -
// RUN: FileCheck %s --check-prefix=PRINTED --input-file=%t/before
// RUN: baco-opt %s --baco-autotune="budget=4 trial-time=2 final-time=10" 2>/dev/null \
// RUN:   | %lower | %run | diff %t/before -
// RUN: baco-opt %s --baco-outline-kernels 2>/dev/null \
// RUN:   --transform-preload-library=transform-library-paths=%t/prepare-module-programs.schedule.mlir \
// RUN:   --transform-interpreter | sed 's/ attributes {baco.no_tune}//' > %t/replayed
// RUN: %stock-mlir-opt %t/prepare-module-programs.tuned.mlir | diff - %t/replayed
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/prepare-module-programs.schedule.mlir
// RUN: baco-tune-driver %s --entry=rows --emit-space=- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY --implicit-check-not=main_matmul

// The first product and the one in the branch are equal.
// CHECK-DAG: {{^}}main_matmul: {{[0-9]+}} evaluations
// CHECK-DAG: {{^}}main_matmul_0: the same kernel as main_matmul
// CHECK-DAG: {{^}}main_matmul_1: {{[0-9]+}} evaluations
// CHECK-DAG: {{^}}rows_loops: {{[0-9]+}} evaluations
// WARN-NOT: warning
// HEADER:      // {{ *}}baco-opt prepare-module-programs.mlir \
// HEADER-NEXT: // {{ *}}--baco-outline-kernels \
// HEADER-NEXT: // {{ *}}--transform-preload-library=
// ENTRY: remark: 'rows' can't be run alone, because it calls '@rtclock'
// ENTRY: "parameters"
// TUNED-LABEL: func.func @main() {
// TUNED:       call @main_matmul
// TUNED-NOT:   baco.
// PRINTED:      sizes = [2, 4] strides = [4, 1] data =
// PRINTED-NEXT: 128, 128, 128, 128
// PRINTED-NEXT: 128, 128, 128, 128
// PRINTED-NEXT: 12352
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printF32(f32)
func.func private @printNewline()
func.func private @rtclock() -> f64

func.func @print(%x: f32) {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @rows(%A: memref<64x64xf32>, %s: memref<64xf32>) {
  %t = call @rtclock() : () -> f64
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      %y = affine.load %s[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %s[%i] : memref<64xf32>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %A = memref.alloc(%c64, %c64) : memref<?x?xf32>
  %B = memref.alloc(%c64, %c64) : memref<?x?xf32>
  %C = memref.alloc() : memref<64x64xf32>
  %s = memref.alloc() : memref<64xf32>
  linalg.fill ins(%one : f32) outs(%A : memref<?x?xf32>)
  linalg.fill ins(%two : f32) outs(%B : memref<?x?xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%C : memref<64x64xf32>)
  %t0 = call @rtclock() : () -> f64
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<64x64xf32>)
  %t1 = call @rtclock() : () -> f64
  %corner = memref.subview %C[0, 0] [2, 4] [1, 1]
    : memref<64x64xf32> to memref<2x4xf32, strided<[64, 1]>>
  %small = memref.alloc() : memref<2x4xf32>
  memref.copy %corner, %small : memref<2x4xf32, strided<[64, 1]>> to memref<2x4xf32>
  %u = memref.cast %small : memref<2x4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  linalg.fill ins(%one : f32) outs(%C : memref<64x64xf32>)
  %x = memref.load %C[%c1, %c1] : memref<64x64xf32>
  %again = arith.cmpf ogt, %x, %zero : f32
  cf.cond_br %again, ^more, ^end
^more:
  %t2 = call @rtclock() : () -> f64
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<64x64xf32>)
  %t3 = call @rtclock() : () -> f64
  scf.for %i = %c0 to %c64 step %c16 {
    %a = memref.subview %A[%i, 0] [16, 64] [1, 1]
      : memref<?x?xf32> to memref<16x64xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0] [16, 64] [1, 1]
      : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul
      ins(%a, %A : memref<16x64xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
      outs(%c : memref<16x64xf32, strided<[64, 1], offset: ?>>)
    func.call @rtclock() : () -> f64
  }
  cf.br ^end
^end:
  call @rows(%C, %s) : (memref<64x64xf32>, memref<64xf32>) -> ()
  %y = memref.load %s[%c4] : memref<64xf32>
  call @print(%y) : (f32) -> ()
  memref.dealloc %small : memref<2x4xf32>
  memref.dealloc %A : memref<?x?xf32>
  memref.dealloc %B : memref<?x?xf32>
  memref.dealloc %C : memref<64x64xf32>
  memref.dealloc %s : memref<64xf32>
  return
}
