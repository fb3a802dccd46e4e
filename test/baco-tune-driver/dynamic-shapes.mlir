// The shapes of callers are tuned as kernels of their own. The tuned module,
// compiled by stock tools, computes what the original does, for these shapes
// and for others.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=6 --seed=1 --output-dir=%t %quick --verbose \
// RUN:   2>&1 | FileCheck %s --implicit-check-not="the schedule changes"
// RUN: FileCheck %s --check-prefix=TUNED \
// RUN:   --input-file=%t/dynamic-shapes.tuned.mlir
// RUN: %stock-mlir-opt %s %to-llvm -o %t/original.mlir
// RUN: %stock-mlir-opt %t/dynamic-shapes.tuned.mlir %to-llvm -o %t/tuned.mlir
// RUN: %stock-mlir-runner %t/original.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/tuned.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// Other shapes, several times the option; `--entry` includes the versions.
// RUN: baco-tune-driver %s --budget=2 --seed=1 --output-dir=%t/other %quick --verbose \
// RUN:   --entry=product --shape=product:a=40x24,b=24x40 \
// RUN:   --shape="product:0=33x17,1=17x65" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: %stock-mlir-opt %t/other/dynamic-shapes.tuned.mlir %to-llvm \
// RUN:   -o %t/other.mlir
// RUN: %stock-mlir-runner %t/other.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// One version for all shapes.
// RUN: baco-tune-driver %s --budget=2 --seed=1 --output-dir=%t/open %quick \
// RUN:   --entry=product --shape="product:a=40?x24?,b=24?x33?" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPEN
// RUN: %stock-mlir-opt %t/open/dynamic-shapes.tuned.mlir %to-llvm \
// RUN:   -o %t/open.mlir
// RUN: %stock-mlir-runner %t/open.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: baco-opt %s --baco-apply=library=%t/open/dynamic-shapes.library.mlir -o %t/applied
// RUN: %stock-mlir-opt %t/open/dynamic-shapes.tuned.mlir | cmp - %t/applied

// OPEN: product_nxn_nxn_nxn:
// OPEN: timed with 40 for argument 3, verified with {{.*}}; with 24 for argument 4, verified with {{.*}}; with 33 for argument 5, verified with

// CHECK: product_96x48_48x64_96x64:
// CHECK: product_33x40_40x17_33x17:
// OTHER: product_40x24_24x40_40x40:
// OTHER: product_33x17_17x65_33x65:

// TUNED-LABEL: func.func @product(
// TUNED-SAME:    attributes {llvm.emit_c_interface}
// TUNED:         linalg.matmul
// TUNED-SAME:      memref<?x?xf32>
// TUNED-LABEL: func.func private @product_96x48_48x64_96x64(
// TUNED-NOT:     linalg.matmul
// TUNED:         return

// Each element of a product sums K times 1 * 2, onto 3: the program adds
// 2 * 48 + 3, 2 * 40 + 3, 2 * 8 + 3 and 2 * 48 + 3 for a view.
// RESULT: {{^}}3.000000e+02
func.func @product(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>,
                   %b: memref<?x?xf32>, %c: memref<?x?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>)
  return
}

func.func private @multiply(%m: index, %n: index, %k: index, %width: index)
    -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %whole = memref.alloc(%m, %width) : memref<?x?xf32>
  %a = memref.subview %whole[0, 0] [%m, %k] [1, 1]
    : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %any = memref.cast %a : memref<?x?xf32, strided<[?, 1]>>
    to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %b = memref.alloc(%k, %n) : memref<?x?xf32>
  %c = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.fill ins(%two : f32) outs(%whole : memref<?x?xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<?x?xf32>)
  linalg.fill ins(%three : f32) outs(%c : memref<?x?xf32>)
  call @product(%any, %b, %c)
    : (memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>,
       memref<?x?xf32>) -> ()
  %row = arith.subi %m, %c1 : index
  %column = arith.subi %n, %c1 : index
  %last = memref.load %c[%row, %column] : memref<?x?xf32>
  memref.dealloc %whole : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %c : memref<?x?xf32>
  return %last : f32
}

func.func @main() -> f32 {
  %m = arith.constant 96 : index
  %n = arith.constant 64 : index
  %k = arith.constant 48 : index
  %odd = arith.constant 33 : index
  %prime = arith.constant 17 : index
  %some = arith.constant 40 : index
  // An extent that no constant says.
  %hidden = memref.alloc() : memref<1xindex>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  memref.store %c8, %hidden[%c0] : memref<1xindex>
  %few = memref.load %hidden[%c0] : memref<1xindex>
  %0 = call @multiply(%m, %n, %k, %k) : (index, index, index, index) -> f32
  %1 = call @multiply(%odd, %prime, %some, %some)
    : (index, index, index, index) -> f32
  %2 = call @multiply(%odd, %prime, %few, %few)
    : (index, index, index, index) -> f32
  %3 = call @multiply(%m, %n, %k, %n) : (index, index, index, index) -> f32
  memref.dealloc %hidden : memref<1xindex>
  %4 = arith.addf %0, %1 : f32
  %5 = arith.addf %2, %3 : f32
  %6 = arith.addf %4, %5 : f32
  return %6 : f32
}
