// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32 \
// RUN:   | %one-line-recipes | FileCheck %s

// Rows that write overlapping vectors aren't jammed: each would wait for the
// stores of the one before it.
// CHECK-LABEL: @polynomials
// CHECK: recipe<[#baco.loop_vectorize<statement = 0, loop = 2,
// CHECK-NOT: loop_unroll
// CHECK: return
func.func @polynomials(%a: memref<512xf32>, %b: memref<512xf32>,
                       %c: memref<1023xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %x = affine.load %a[%i] : memref<512xf32>
      %y = affine.load %b[%j] : memref<512xf32>
      %s = affine.load %c[%i + %j] : memref<1023xf32>
      %m = arith.mulf %x, %y : f32
      %r = arith.addf %s, %m : f32
      affine.store %r, %c[%i + %j] : memref<1023xf32>
    }
  }
  return
}

// Iterations that share two rows of a stencil are jammed by default.
// CHECK-LABEL: @three_rows
// CHECK: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U", {{[^>]*}}>, default = 4>
func.func @three_rows(%a: memref<258x512xf32>, %c: memref<258x512xf32>) {
  affine.for %i = 1 to 257 {
    affine.for %j = 0 to 512 {
      %x = affine.load %a[%i - 1, %j] : memref<258x512xf32>
      %y = affine.load %a[%i, %j] : memref<258x512xf32>
      %z = affine.load %a[%i + 1, %j] : memref<258x512xf32>
      %s = arith.addf %x, %y : f32
      %r = arith.addf %s, %z : f32
      affine.store %r, %c[%i, %j] : memref<258x512xf32>
    }
  }
  return
}

// Those that share one row are not.
// CHECK-LABEL: @two_rows
// CHECK: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U", {{[^>]*}}>, default = 1>
func.func @two_rows(%a: memref<258x512xf32>, %c: memref<258x512xf32>) {
  affine.for %i = 1 to 257 {
    affine.for %j = 0 to 512 {
      %x = affine.load %a[%i - 1, %j] : memref<258x512xf32>
      %y = affine.load %a[%i, %j] : memref<258x512xf32>
      %r = arith.addf %x, %y : f32
      affine.store %r, %c[%i, %j] : memref<258x512xf32>
    }
  }
  return
}

// Nor is what all rows share, which stays in level 1.
// CHECK-LABEL: @bias
// CHECK: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U", {{[^>]*}}>, default = 1>
func.func @bias(%a: memref<256x512xf32>, %b: memref<512xf32>,
                %c: memref<256x512xf32>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 512 {
      %x = affine.load %a[%i, %j] : memref<256x512xf32>
      %y = affine.load %b[%j] : memref<512xf32>
      %r = arith.addf %x, %y : f32
      affine.store %r, %c[%i, %j] : memref<256x512xf32>
    }
  }
  return
}

// Rows that share nothing have no such knob.
// CHECK-LABEL: @neighbors
// CHECK: recipe<[#baco.loop_vectorize<
// CHECK-NOT: loop_unroll
// CHECK: return
func.func @neighbors(%a: memref<256x514xf32>, %c: memref<256x514xf32>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 1 to 513 {
      %x = affine.load %a[%i, %j - 1] : memref<256x514xf32>
      %y = affine.load %a[%i, %j] : memref<256x514xf32>
      %z = affine.load %a[%i, %j + 1] : memref<256x514xf32>
      %s = arith.addf %x, %y : f32
      %r = arith.addf %s, %z : f32
      affine.store %r, %c[%i, %j] : memref<256x514xf32>
    }
  }
  return
}

// The loops over a window are unrolled: there is less in them than it takes to
// count.
// CHECK-LABEL: @pool
// CHECK: #baco.loop_vectorize<statement = 0, loop = 3,
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = 3>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 5, factor = 3>
func.func @pool(%a: memref<34x34x16xi8>, %c: memref<32x32x16xi8>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      affine.for %k = 0 to 16 {
        affine.for %y = 0 to 3 {
          affine.for %x = 0 to 3 {
            %u = affine.load %a[%i + %y, %j + %x, %k] : memref<34x34x16xi8>
            %v = affine.load %c[%i, %j, %k] : memref<32x32x16xi8>
            %r = arith.maxui %u, %v : i8
            affine.store %r, %c[%i, %j, %k] : memref<32x32x16xi8>
          }
        }
      }
    }
  }
  return
}

// Neighbors in a row of a view with steps are not contiguous, so that nothing
// is stored as vectors.
// CHECK-LABEL: @columns
// CHECK-NOT: loop_vectorize<statement = 0, loop = {{[0-9]}}, width = #baco.knob<"NR"
// CHECK: return
func.func @columns(%a: memref<57x83xf32>, %b: memref<83x59xf32>,
                   %c: memref<57x118xf32>) {
  %v = memref.subview %c[0, 0] [57, 59] [1, 2]
      : memref<57x118xf32> to memref<57x59xf32, strided<[118, 2]>>
  linalg.matmul
      ins(%a, %b : memref<57x83xf32>, memref<83x59xf32>)
      outs(%v : memref<57x59xf32, strided<[118, 2]>>)
  return
}

// With three columns, rows would have to be gathered: loops stay as they are,
// and have no vectors by default.
// CHECK-LABEL: @few_columns
// CHECK: recipe<[#baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"W", #baco.ordinal<[0, 16, 32]>, default = 0>>]
func.func @few_columns(%a: memref<32768x3xf32>, %c: memref<3xf32>) {
  affine.for %i = 0 to 32768 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%i, %j] : memref<32768x3xf32>
      %s = affine.load %c[%j] : memref<3xf32>
      %r = arith.addf %s, %x : f32
      affine.store %r, %c[%j] : memref<3xf32>
    }
  }
  return
}

// Exponentials of f64 are calls for each lane, which vectors only cost.
// CHECK-LABEL: @exponentials
// CHECK: recipe<[#baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"W", #baco.ordinal<[0, 8, 16, 32]>, default = 0>>]
func.func @exponentials(%a: memref<16384xf64>, %c: memref<16384xf64>) {
  affine.for %i = 0 to 16384 {
    %x = affine.load %a[%i] : memref<16384xf64>
    %r = math.exp %x : f64
    affine.store %r, %c[%i] : memref<16384xf64>
  }
  return
}

// The same integer over and over is one product, if its loop is innermost.
// CHECK-LABEL: @repeated
// CHECK: recipe<[#baco.loop_permute<order = [2, 1], statement = 0>, #baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"W", #baco.ordinal<[0, {{.*}}]>, default = 0>>]
func.func @repeated(%a: memref<512xi32>, %c: memref<512xi32>) {
  affine.for %j = 0 to 512 {
    affine.for %i = 0 to 512 {
      %x = affine.load %a[%i] : memref<512xi32>
      %s = affine.load %c[%i] : memref<512xi32>
      %r = arith.addi %s, %x : i32
      affine.store %r, %c[%i] : memref<512xi32>
    }
  }
  return
}

// With one column a product is a sum per row, and rows are jammed: the loop over
// the column, which runs once, is outside.
// CHECK-LABEL: @one_column
// CHECK: recipe<[#baco.loop_permute<order = [2, 1, 3], statement = 0>,
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"U", {{[^>]*}}>, default = 4>>,
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"W", {{[^>]*}}>, default = 64>>]
func.func @one_column(%a: memref<266x284xf32>, %b: memref<284x1xf32>,
                      %c: memref<266x1xf32>) {
  linalg.matmul ins(%a, %b : memref<266x284xf32>, memref<284x1xf32>)
      outs(%c : memref<266x1xf32>)
  return
}

// Elements of a row that an index chooses follow each other.
// CHECK-LABEL: @chosen_rows
// CHECK: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"W", {{[^>]*}}>, default = 16>
func.func @chosen_rows(%t: memref<1000x64xf32>, %i: memref<300xi32>,
                       %o: memref<300x64xf32>) {
  affine.for %a = 0 to 300 {
    affine.for %b = 0 to 64 {
      %x = affine.load %i[%a] : memref<300xi32>
      %y = arith.index_cast %x : i32 to index
      %v = memref.load %t[%y, %b] : memref<1000x64xf32>
      affine.store %v, %o[%a, %b] : memref<300x64xf32>
    }
  }
  return
}

// They are different elements, so that a row can be updated as vectors.
// CHECK-LABEL: @updated_rows
// CHECK: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"W", {{[^>]*}}>, default = 16>
func.func @updated_rows(%t: memref<1000x64xf32>, %i: memref<300xi32>,
                        %o: memref<300x64xf32>) {
  affine.for %a = 0 to 300 {
    %x = affine.load %i[%a] : memref<300xi32>
    %y = arith.index_cast %x : i32 to index
    affine.for %b = 0 to 64 {
      %v = affine.load %o[%a, %b] : memref<300x64xf32>
      %w = memref.load %t[%y, %b] : memref<1000x64xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %t[%y, %b] : memref<1000x64xf32>
    }
  }
  return
}

// Here each element is in a row of its own.
// CHECK-LABEL: @chosen_elements
// CHECK: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"W", {{[^>]*}}>, default = 0>
func.func @chosen_elements(%t: memref<1000x64xf32>, %i: memref<64xi32>,
                           %o: memref<300x64xf32>) {
  affine.for %a = 0 to 300 {
    affine.for %b = 0 to 64 {
      %x = affine.load %i[%b] : memref<64xi32>
      %y = arith.index_cast %x : i32 to index
      %v = memref.load %t[%y, %b] : memref<1000x64xf32>
      affine.store %v, %o[%a, %b] : memref<300x64xf32>
    }
  }
  return
}

// Each step waits for the one before it: lanes are other rows.
// CHECK-LABEL: @decay
// CHECK: #baco.loop_vectorize<statement = 1, loop = 1, width = #baco.knob<"W1", {{[^>]*}}>, default = 16>
func.func @decay(%a: memref<64x512xf32>, %o: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  %w = arith.constant 0.9 : f32
  affine.for %i = 0 to 64 {
    %r = affine.for %j = 0 to 512 iter_args(%s = %z) -> f32 {
      %v = affine.load %a[%i, %j] : memref<64x512xf32>
      %t = arith.mulf %s, %w : f32
      %n = arith.addf %t, %v : f32
      affine.yield %n : f32
    }
    affine.store %r, %o[%i] : memref<64xf32>
  }
  return
}
