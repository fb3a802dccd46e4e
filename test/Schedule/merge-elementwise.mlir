// Elementwise ops are a part of the op that needs what they write, as a reduction,
// unless anything else reads or writes that in between, or elements of other
// iterations are read.
// RUN: baco-opt %s --baco-decompose-for-gpu -o %t.ops.mlir
// RUN: FileCheck %s --input-file=%t.ops.mlir
// RUN: baco-opt %t.ops.mlir --baco-annotate=target=nvvm --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT-COUNT-15: is right in 3 orders

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>

// GELU as front ends write it, of which one value is read twice.
// CHECK-LABEL: func.func @gelu(
// CHECK-NOT:   memref.alloc
// CHECK-COUNT-1: linalg.{{[^y]}}
// CHECK-NOT:   linalg.{{[^y]}}
func.func @gelu(%x: memref<32x48xf32>, %bias: memref<48xf32>, %y: memref<32x48xf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32
  %0 = memref.alloc() : memref<32x48xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %bias : memref<32x48xf32>, memref<48xf32>) outs(%0 : memref<32x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %z = arith.addf %a, %b : f32
    linalg.yield %z : f32
  }
  %1 = memref.alloc() : memref<32x48xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%0 : memref<32x48xf32>) outs(%1 : memref<32x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %root : f32
    %z = math.erf %s : f32
    linalg.yield %z : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%1 : memref<32x48xf32>) {
  ^bb0(%o: f32):
    %z = arith.addf %o, %one : f32
    linalg.yield %z : f32
  }
  linalg.mul ins(%0, %1 : memref<32x48xf32>, memref<32x48xf32>) outs(%y : memref<32x48xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<32x48xf32>) {
  ^bb0(%o: f32):
    %z = arith.mulf %o, %half : f32
    linalg.yield %z : f32
  }
  return
}

// In place, behind an op of another memref.
// CHECK-LABEL: func.func @in_place(
// CHECK-COUNT-2: linalg.{{[^y]}}
// CHECK-NOT:   linalg.{{[^y]}}
func.func @in_place(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : memref<32x32xf32>) {
  ^bb0(%o: f32):
    %z = arith.mulf %o, %two : f32
    linalg.yield %z : f32
  }
  linalg.fill ins(%two : f32) outs(%y : memref<32x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
    ins(%two : f32) outs(%x : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.addf %o, %a : f32
    linalg.yield %z : f32
  }
  return
}

// Both reads are of this iteration; the temporary is gone.
// CHECK-LABEL: func.func @square(
// CHECK-NOT:   memref.alloc
// CHECK-COUNT-1: linalg.{{[^y]}}
// CHECK-NOT:   linalg.{{[^y]}}
func.func @square(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.add ins(%x, %y : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  linalg.mul ins(%t, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}

// The differences and squares of a loss.
// CHECK-LABEL: func.func @loss(
// CHECK-NOT:   memref.alloc
// CHECK-COUNT-1: linalg.{{[^y]}}
// CHECK-NOT:   linalg.{{[^y]}}
func.func @loss(%x: memref<32x48xf32>, %y: memref<32x48xf32>, %s: memref<f32>) {
  %t = memref.alloc() : memref<32x48xf32>
  linalg.sub ins(%x, %y : memref<32x48xf32>, memref<32x48xf32>) outs(%t : memref<32x48xf32>)
  %u = memref.alloc() : memref<32x48xf32>
  linalg.mul ins(%t, %t : memref<32x48xf32>, memref<32x48xf32>) outs(%u : memref<32x48xf32>)
  linalg.reduce { arith.addf } ins(%u : memref<32x48xf32>) outs(%s : memref<f32>) dimensions = [0, 1]
  return
}

// A sum is written before all elements are read.
// CHECK-LABEL: func.func @sums(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @sums(%x: memref<32x32xf32>, %s: memref<32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : memref<32x32xf32>, memref<32xf32>) outs(%t : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %z = arith.mulf %a, %b : f32
    linalg.yield %z : f32
  }
  linalg.reduce { arith.addf } ins(%t : memref<32x32xf32>) outs(%s : memref<32xf32>) dimensions = [0]
  return
}

// CHECK-LABEL: func.func @transposed(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @transposed(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
    ins(%t : memref<32x32xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.addf %a, %a : f32
    linalg.yield %z : f32
  }
  return
}

// The result is what the first op reads elsewhere.
// CHECK-LABEL: func.func @overwritten(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @overwritten(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : memref<32x32xf32>) outs(%t : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.addf %a, %a : f32
    linalg.yield %z : f32
  }
  linalg.add ins(%x, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}

// A row of the result is read through a view.
// CHECK-LABEL: func.func @row(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @row(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  %r = memref.subview %y[0, 0] [1, 32] [1, 1] : memref<32x32xf32> to memref<32xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : memref<32xf32>) outs(%t : memref<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.addf %a, %a : f32
    linalg.yield %z : f32
  }
  linalg.add ins(%x, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}

// What the first op reads is written before the second.
// CHECK-LABEL: func.func @written(
// CHECK-COUNT-3: linalg.{{[^y]}}
func.func @written(%x: memref<32x32xf32>, %y: memref<32x32xf32>, %w: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  linalg.negf ins(%y : memref<32x32xf32>) outs(%x : memref<32x32xf32>)
  linalg.add ins(%x, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%w : memref<32x32xf32>)
  return
}

// Two ops read the value; a caller reads the other one.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-3: linalg.{{[^y]}}
func.func @twice(%x: memref<32x32xf32>, %y: memref<32x32xf32>, %w: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  linalg.negf ins(%t : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.add ins(%x, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%w : memref<32x32xf32>)
  return
}

// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @kept(%x: memref<32x32xf32>, %y: memref<32x32xf32>, %w: memref<32x32xf32>) {
  linalg.exp ins(%x : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.negf ins(%y : memref<32x32xf32>) outs(%w : memref<32x32xf32>)
  return
}

// A part is overwritten.
// CHECK-LABEL: func.func @part(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @part(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %r = memref.subview %y[0, 0] [16, 32] [1, 1] : memref<32x32xf32> to memref<16x32xf32, strided<[32, 1]>>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.negf ins(%r : memref<16x32xf32, strided<[32, 1]>>) outs(%r : memref<16x32xf32, strided<[32, 1]>>)
  return
}

// A gather between them reads what the second one writes. It isn't seen in the
// operands.
// CHECK-LABEL: func.func @gathered(
// CHECK-COUNT-3: linalg.{{[^y]}}
func.func @gathered(%x: memref<32x32xf32>, %i: memref<32x32xi32>, %y: memref<32x32xf32>) {
  linalg.exp ins(%x : memref<32x32xf32>) outs(%x : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%i : memref<32x32xi32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%k: i32, %o: f32):
    %limit = arith.constant 31 : i32
    %low = arith.andi %k, %limit : i32
    %at = arith.index_cast %low : i32 to index
    %v = memref.load %x[%at, %at] : memref<32x32xf32>
    linalg.yield %v : f32
  }
  linalg.negf ins(%x : memref<32x32xf32>) outs(%x : memref<32x32xf32>)
  return
}

// The temporary is an input, too.
// CHECK-LABEL: func.func @undefined(
// CHECK-COUNT-2: linalg.{{[^y]}}
func.func @undefined(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %z = arith.addf %a, %a : f32
    linalg.yield %z : f32
  }
  linalg.exp ins(%t : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}

// The order of these terms matters.
// CHECK-LABEL: func.func @polynomial(
// CHECK:       iterator_types = ["parallel", "reduction", "reduction"]
func.func @polynomial(%x: memref<8x16xf32>, %s: memref<f32>) {
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [#t, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<8x16xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.mulf %sum, %half : f32
    %1 = arith.addf %0, %a : f32
    linalg.yield %1 : f32
  }
  return
}
