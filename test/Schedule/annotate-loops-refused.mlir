// RUN: baco-opt %s --baco-annotate --verify-diagnostics | FileCheck %s

// What can't be planned stays as it is, with the reason.
// CHECK-NOT: baco.recipe

func.func private @unknown(index)

func.func @call() {
  // expected-remark@+1 {{no automatic recipe: }}
  affine.for %i = 0 to 100 {
    func.call @unknown(%i) : (index) -> ()
  }
  return
}

func.func @recurrence(%A: memref<100xf64>) {
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen; statement 0 stays as it is: no loop of it runs in parallel on contiguous elements}}
  affine.for %i = 1 to 100 {
    %a = affine.load %A[%i - 1] : memref<100xf64>
    affine.store %a, %A[%i] : memref<100xf64>
  }
  return
}
