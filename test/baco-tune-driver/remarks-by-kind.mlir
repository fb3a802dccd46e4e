// What is said of several ops is said once, unless all is asked for.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: baco-opt %s --baco-autotune="budget=1 trial-time=2 final-time=10" 2>&1 \
// RUN:   | FileCheck %s

// CHECK:     remark: no automatic recipe: it is not in a func.func of the outermost module, so that a schedule can't find it; put the inner module into a file of its own; 2 more ops are like that, which --verbose lists
// CHECK-NOT: it is not in a func.func
// ALL-COUNT-3: remark: no automatic recipe: it is not in a func.func of the outermost module, so that a schedule can't find it; put the inner module into a file of its own{{$}}
// ALL-NOT:   remark: no automatic
func.func @kernel(%A: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
module @nested attributes {my.target} {
  func.func @inner(%A: memref<64x64xf32>, %C: memref<64x64xf32>) {
    linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
    linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
    linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
    return
  }
}
