// Functions of the math dialect in kernels become polynomials, or instructions:
// they are right in the emulator, in scalars and vectors, and no kernel calls
// CUDA's libdevice.
// RUN: baco-opt %s --baco-annotate=target=nvvm --baco-expand-recipes \
// RUN:   --baco-concretize --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s --check-prefix=PTX
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-static-cost=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST

// CHECK: remark: baco-emulate-kernels: 'functions' is right in 3 orders
// CHECK: 'rows' is right in 3 orders
// CHECK: 'narrow' is right in 3 orders
// CHECK: 'instructions' is right in 3 orders

// PTX-NOT: call.uni
// PTX:     gpu.binary @instructions_kernel
// PTX-NOT: call.uni
// PTX-DAG: abs.f32
// PTX-DAG: sqrt.rn.f32
// PTX-DAG: cvt.rmi.f32.f32
// PTX-DAG: cvt.rpi.f32.f32

// COST-COUNT-4: _kernel': static cost

#id = affine_map<(i) -> (i)>
#ids = affine_map<(i, j) -> (i, j)>

func.func @functions(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%u: f32, %o: f32):
    %0 = math.exp %u : f32
    %1 = math.log %0 : f32
    %2 = math.tanh %1 : f32
    %3 = math.erf %u : f32
    %4 = arith.addf %2, %3 : f32
    %5 = math.log1p %0 : f32
    %6 = arith.addf %4, %5 : f32
    linalg.yield %6 : f32
  }
  return
}

// Scalars: a sum isn't vectorized.
func.func @rows(%x: memref<64x32xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#ids, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<64x32xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%u: f32, %sum: f32):
    %0 = math.exp %u : f32
    %1 = math.expm1 %u : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %2, %sum : f32
    linalg.yield %3 : f32
  }
  return
}

func.func @narrow(%x: memref<1024xf16>, %y: memref<1024xf16>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf16>) outs(%y : memref<1024xf16>) {
  ^bb0(%u: f16, %o: f16):
    %0 = math.exp %u : f16
    linalg.yield %0 : f16
  }
  return
}

func.func @instructions(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%u: f32, %o: f32):
    %0 = math.absf %u : f32
    %1 = math.sqrt %0 : f32
    %2 = math.floor %u : f32
    %3 = math.ceil %1 : f32
    %4 = math.fma %1, %2, %3 : f32
    %5 = math.copysign %4, %u : f32
    %6 = arith.maximumf %5, %2 : f32
    %7 = arith.minnumf %6, %3 : f32
    linalg.yield %7 : f32
  }
  return
}
