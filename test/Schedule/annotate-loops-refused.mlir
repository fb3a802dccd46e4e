// RUN: baco-opt %s --baco-annotate --verify-diagnostics | FileCheck %s

// What can't be planned stays as it is, with the reason.
// CHECK-NOT: baco.recipe

func.func private @unknown(index)

func.func @call() {
  // expected-remark@+1 {{no automatic recipe: }}
  affine.for %i = 0 to 100 {
    // expected-remark@+1 {{has side effects, so that the loops around it can't be scheduled}}
    func.call @unknown(%i) : (index) -> ()
  }
  return
}

func.func @vectors(%A: memref<1024xf32>, %B: memref<1024xf32>) {
  // expected-remark@+1 {{no automatic recipe: }}
  affine.for %i = 0 to 1024 step 16 {
    // expected-remark@+1 {{is vector code, so that the loops around it can't be scheduled; loops that load and store single elements can, and get vectors}}
    %a = vector.load %A[%i] : memref<1024xf32>, vector<16xf32>
    vector.store %a, %B[%i] : memref<1024xf32>, vector<16xf32>
  }
  return
}

func.func @allocates(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  // expected-remark@+1 {{no automatic recipe: }}
  affine.for %i = 0 to 64 {
    // expected-remark@+1 {{makes or frees memory, so that the loops around it can't be scheduled; move it out of them}}
    %t = memref.alloc() : memref<64xf32>
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%i, %j] : memref<64x64xf32>
      affine.store %a, %t[%j] : memref<64xf32>
    }
    affine.for %j = 0 to 64 {
      %a = affine.load %t[%j] : memref<64xf32>
      affine.store %a, %B[%i, %j] : memref<64x64xf32>
    }
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

// It may load what it writes.
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @own(%table: memref<96x64xf32>, %ids: memref<96xi64>) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen; statement 0 stays as it is: no loop of it runs in parallel}}
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%ids : memref<96xi64>) outs(%table : memref<96x64xf32>) {
  ^bb0(%id: i64, %o: f32):
    %x = arith.index_cast %id : i64 to index
    %low = arith.maxsi %x, %c0 : index
    %place = arith.minsi %low, %c63 : index
    %j = linalg.index 1 : index
    %v = memref.load %table[%j, %place] : memref<96x64xf32>
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  }
  return
}
