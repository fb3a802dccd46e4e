// What is in nested modules moves to their places, unless it would mean
// something else there.
// RUN: baco-opt %s --baco-lower-front-ends 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=DRIVER

// REMARK: remark: renamed 'product' of a nested module to '[[NAME:product_[0-9]+]]': the name is taken
// REMARK: remark: put the contents of 4 nested modules in their places

// DRIVER: remark: no automatic recipe: it is not in a func.func of the outermost module, so that a schedule can't find it; put the inner module into a file of its own
// DRIVER: product {{.*}} default
// DRIVER: product_{{[0-9]+}} {{.*}} default

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
  // A name that is taken, and one that is declared twice.
  // CHECK-NOT: func.func private @helper
  // CHECK: func.func @[[NEW:product_[0-9]+]]
  // CHECK: func.func @caller
  // CHECK: call @[[NEW]]
  module {
    func.func private @helper()
    func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
      linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      return
    }
    func.func @caller(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
      call @product(%a, %b, %c) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
      return
    }
  }
  // It is another target's.
  // CHECK: module attributes {my.target}
  module attributes {my.target} {
    func.func @other(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
      linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      return
    }
  }
}
