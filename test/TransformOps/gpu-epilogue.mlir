// Elementwise ops around a product are done on its accumulators, so that there is one launch,
// which writes what others read. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.recipes.mlir
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Other tiles.
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize='configuration={"schedule_layer.BM": 34, "schedule_layer.BN": 32, "schedule_layer.TM": 2, "schedule_layer.TN": 4}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// The emulator tells if an op isn't done.
// RUN: sed 's/maximumf/minimumf/' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'layer' is right in 3 orders
// CHECK: 'read_twice' is right in 3 orders
// CHECK: 'residual' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'batch' is right in 3 orders
// CHECK: 'other_iterations' is right in 3 orders
// CHECK: 'writes_input' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 3 differs at

#two = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Extents that no tile divides; two ops in a row, of which the second writes the transpose. Both
// buffers are gone.
// KERNEL-LABEL: func.func @layer(
// KERNEL-SAME:    %{{.*}}: memref<33x20xf32>, %{{.*}}: memref<20x31xf32>, %[[BIAS:.*]]: memref<31xf32>, %[[OUT:.*]]: memref<31x33xf32>)
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL-NOT:       gpu.launch
// KERNEL:           scf.for
// KERNEL:           load %[[BIAS]]
// KERNEL:           arith.addf
// KERNEL:           arith.maximumf
// KERNEL:           arith.mulf
// KERNEL:           memref.store %{{.*}}, %[[OUT]]
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @layer(%a: memref<33x20xf32>, %b: memref<20x31xf32>, %bias: memref<31xf32>, %out: memref<31x33xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c = memref.alloc() : memref<33x31xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<33x31xf32>)
  linalg.matmul ins(%a, %b : memref<33x20xf32>, memref<20x31xf32>) outs(%c : memref<33x31xf32>)
  %d = memref.alloc() : memref<33x31xf32>
  linalg.generic {indexing_maps = [#two, #column, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<33x31xf32>, memref<31xf32>) outs(%d : memref<33x31xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#two, #swapped], iterator_types = ["parallel", "parallel"]}
    ins(%d : memref<33x31xf32>) outs(%out : memref<31x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.mulf %x, %half : f32
    linalg.yield %m : f32
  }
  memref.dealloc %d : memref<33x31xf32>
  memref.dealloc %c : memref<33x31xf32>
  return
}

// Another op reads the product, which is then written, too.
// KERNEL-LABEL: func.func @read_twice(
// KERNEL-SAME:    %[[OUT:[a-z0-9]*]]: memref<32x32xf32>, %[[SUMS:[a-z0-9]*]]: memref<32xf32>)
// KERNEL:         %[[C:.*]] = memref.alloc()
// KERNEL:         gpu.launch
// KERNEL-NOT:       store %{{.*}}, %[[OUT]]
// KERNEL:           math.tanh
// KERNEL-DAG:       store %{{.*}}, %[[C]]
// KERNEL-DAG:       store %{{.*}}, %[[OUT]]
// KERNEL:         gpu.launch
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @read_twice(%a: memref<32x16xf32>, %b: memref<16x32xf32>, %out: memref<32x32xf32>, %sums: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x16xf32>, memref<16x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.tanh ins(%c : memref<32x32xf32>) outs(%out : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%c : memref<32x32xf32>) outs(%sums : memref<32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<32x32xf32>
  return
}

// The residual is where the result goes, and callers read the intermediate result.
// KERNEL-LABEL: func.func @residual(
// KERNEL:         gpu.launch
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @residual(%a: memref<32x24xf32>, %b: memref<24x32xf32>, %c: memref<32x32xf32>, %out: memref<32x32xf32>) {
  linalg.matmul ins(%a, %b : memref<32x24xf32>, memref<24x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.add ins(%c, %out : memref<32x32xf32>, memref<32x32xf32>) outs(%out : memref<32x32xf32>)
  return
}

// On tensor cores; the result is rounded in registers. The sums begin with the bias.
// KERNEL-LABEL: func.func @halves(
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL:           nvvm.mma.sync
// KERNEL:           arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @halves(%a: memref<32x48xf16>, %b: memref<48x40xf16>, %bias: memref<40xf32>, %out: memref<32x40xf16>) {
  %c = memref.alloc() : memref<32x40xf32>
  linalg.broadcast ins(%bias : memref<40xf32>) outs(%c : memref<32x40xf32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<32x48xf16>, memref<48x40xf16>) outs(%c : memref<32x40xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<32x40xf32>) outs(%out : memref<32x40xf16>) {
  ^bb0(%x: f32, %o: f16):
    %h = arith.truncf %x : f32 to f16
    linalg.yield %h : f16
  }
  memref.dealloc %c : memref<32x40xf32>
  return
}

// KERNEL-LABEL: func.func @batch(
// KERNEL:         gpu.launch
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @batch(%a: memref<2x16x24xf32>, %b: memref<2x24x16xf32>, %c: memref<2x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x16x16xf32>)
  linalg.batch_matmul ins(%a, %b : memref<2x16x24xf32>, memref<2x24x16xf32>) outs(%c : memref<2x16x16xf32>)
  linalg.exp ins(%c : memref<2x16x16xf32>) outs(%c : memref<2x16x16xf32>)
  return
}

// An iteration reads what another one would write: two kernels.
// KERNEL-LABEL: func.func @other_iterations(
// KERNEL-COUNT-2: gpu.launch
func.func @other_iterations(%a: memref<32x24xf32>, %b: memref<24x32xf32>, %c: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x24xf32>, memref<24x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#two, #swapped, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c, %c : memref<32x32xf32>, memref<32x32xf32>) outs(%out : memref<32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Blocks read all of the input that the op overwrites.
// KERNEL-LABEL: func.func @writes_input(
// KERNEL-COUNT-2: gpu.launch
func.func @writes_input(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.add ins(%c, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  return
}
