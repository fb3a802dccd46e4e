// Every candidate of a softmax computes what the plain lowering does, with sizes
// that no vector divides. The schedules give the tuned code again.
// RUN: rm -rf %t && mkdir %t
// RUN: sed '/^func.func @tensors/,$d' %s > %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=28 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: baco-opt %t/in.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/in.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: baco-opt %t/in.tuned.mlir | cmp - %t/scheduled
// Where the original is faster on tensors, no schedule puts them into buffers.
// RUN: sed -n '/^func.func @tensors/,$p' %s > %t/tensors.mlir
// RUN: baco-tune-driver %t/tensors.mlir --interface=buffers --budget=4 --output-dir=%t %quick --verbose \
// RUN:   | FileCheck %s --check-prefix=TENSORS
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/tensors.trials.jsonl \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "ahead":2{{.*}}"status":"ok"

// CHECK: inplace: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: vector: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: columns: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: half: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: batch: {{[1-9][0-9]*}} evaluations{{$}}
// TENSORS: tensors: {{[1-9][0-9]*}} evaluations{{$}}

func.func @inplace(%a: memref<33x41xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<33x41xf32>)
                              outs(%a : memref<33x41xf32>)
  return
}

func.func @vector(%a: memref<2049xf32>, %b: memref<2049xf32>) {
  linalg.softmax dimension(0) ins(%a : memref<2049xf32>)
                              outs(%b : memref<2049xf32>)
  return
}

func.func @columns(%a: memref<8x5x103xf64>, %b: memref<8x5x103xf64>) {
  linalg.softmax dimension(1) ins(%a : memref<8x5x103xf64>)
                              outs(%b : memref<8x5x103xf64>)
  return
}

func.func @half(%a: memref<8x5x103xf16>, %b: memref<8x5x103xf16>) {
  linalg.softmax dimension(2) ins(%a : memref<8x5x103xf16>)
                              outs(%b : memref<8x5x103xf16>)
  return
}

func.func @batch(%b: memref<4x10x104xf32>) {
  affine.for %i = 0 to 4 {
    %v = memref.subview %b[%i, 0, 0] [1, 10, 104] [1, 1, 1]
      : memref<4x10x104xf32> to memref<10x104xf32, strided<[104, 1], offset: ?>>
    linalg.softmax dimension(1)
      ins(%v : memref<10x104xf32, strided<[104, 1], offset: ?>>)
      outs(%v : memref<10x104xf32, strided<[104, 1], offset: ?>>)
  }
  return
}

func.func @tensors(%a: tensor<33x41xf64>) -> tensor<33x41xf64> {
  %b = tensor.empty() : tensor<33x41xf64>
  %r = linalg.softmax dimension(1) ins(%a : tensor<33x41xf64>)
    outs(%b : tensor<33x41xf64>) -> tensor<33x41xf64>
  %s = linalg.softmax dimension(0) ins(%r : tensor<33x41xf64>)
    outs(%b : tensor<33x41xf64>) -> tensor<33x41xf64>
  %e = linalg.exp ins(%s : tensor<33x41xf64>)
    outs(%b : tensor<33x41xf64>) -> tensor<33x41xf64>
  return %e : tensor<33x41xf64>
}
