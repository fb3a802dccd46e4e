// What can't be scheduled is left as it was, and the remark says why.
// RUN: baco-opt %s --baco-annotate --split-input-file --verify-diagnostics | FileCheck %s
// CHECK-NOT: baco.recipe

func.func @dynamic(%a: memref<?x8xf32>, %b: memref<8x8xf32>,
                   %c: memref<?x8xf32>) {
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x8xf32>)
                outs(%c : memref<?x8xf32>)
  return
}

// -----

func.func @tensors(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>,
                   %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{no automatic recipe: it works on tensors; bufferize it first}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @half(%a: memref<8x8xf16>, %b: memref<8x8xf16>,
                %c: memref<8x8xf32>) {
  // expected-remark @below {{only f32 or f64 for all operands is supported yet}}
  linalg.matmul ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>)
                outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @columns(%a: memref<8x8xf32, strided<[1, 8]>>, %b: memref<8x8xf32>,
                   %c: memref<8x8xf32>) {
  // expected-remark @below {{elements of a row are not contiguous in memory}}
  linalg.matmul ins(%a, %b : memref<8x8xf32, strided<[1, 8]>>, memref<8x8xf32>)
                outs(%c : memref<8x8xf32>)
  return
}

// -----

#transposed = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: memref<8x8xf32>, %b: memref<8x8xf32>,
                      %c: memref<8x8xf32>) {
  // expected-remark @below {{its operands are transposed or broadcast}}
  linalg.matmul indexing_maps = [#transposed, #b, #c]
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>)
    outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @prime_rows(%a: memref<997x8xf32>, %b: memref<8x8xf32>,
                      %c: memref<997x8xf32>) {
  // expected-remark @below {{none of 2 to 16 rows divides its M extent of 997, and partial tiles are not supported yet}}
  linalg.matmul ins(%a, %b : memref<997x8xf32>, memref<8x8xf32>)
                outs(%c : memref<997x8xf32>)
  return
}

// -----

func.func @odd_columns(%a: memref<8x8xf32>, %b: memref<8x9xf32>,
                       %c: memref<8x9xf32>) {
  // expected-remark @below {{no vector divides its N extent of 9, and partial tiles are not supported yet}}
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x9xf32>)
                outs(%c : memref<8x9xf32>)
  return
}

// -----

func.func @empty(%a: memref<8x0xf32>, %b: memref<0x8xf32>,
                 %c: memref<8x8xf32>) {
  // expected-remark @below {{no automatic recipe: it is empty}}
  linalg.matmul ins(%a, %b : memref<8x0xf32>, memref<0x8xf32>)
                outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @huge(%a: memref<4294967296x4294967296xf32>,
                %b: memref<4294967296x4294967296xf32>,
                %c: memref<4294967296x4294967296xf32>) {
  // expected-remark @below {{no automatic recipe: it is too large: an operand has more bytes than can be addressed}}
  linalg.matmul ins(%a, %b : memref<4294967296x4294967296xf32>, memref<4294967296x4294967296xf32>)
                outs(%c : memref<4294967296x4294967296xf32>)
  return
}

// -----

func.func @others(%x: f32, %c: memref<8x8xf32>) {
  // expected-remark @below {{no automatic recipe: only linalg.matmul is supported yet}}
  linalg.fill ins(%x : f32) outs(%c : memref<8x8xf32>)
  // expected-remark @below {{write a schedule for this loop nest}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %x, %c[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
