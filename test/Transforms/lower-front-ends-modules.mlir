// What is in nested modules moves to their places, unless it would mean
// something else there.
// RUN: baco-opt %s --baco-lower-front-ends 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: baco-tune-driver %s --emit-space=%t.json 2>&1 | FileCheck %s --check-prefix=DRIVER

// REMARK: remark: put the contents of 3 nested modules in their places

// DRIVER: remark: no automatic recipe: it is not in a func.func of the outermost module, so that a schedule can't find it; put the inner module into a file of its own

// CHECK:      module {
// CHECK-NEXT:   func.func @product
module {
  module @first {
    module {
      func.func @product(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
        linalg.matmul ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
        return
      }
    }
  }
  // CHECK: func.func private @helper
  module {
    func.func private @helper()
  }
  // The name is taken.
  // CHECK: module {
  // CHECK-NEXT: func.func @product
  module {
    func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
      linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      return
    }
  }
  // It is another target's.
  // CHECK: module attributes {my.target}
  module attributes {my.target} {
    func.func private @other()
  }
}
