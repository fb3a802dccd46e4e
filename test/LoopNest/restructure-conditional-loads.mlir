// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// What a branch loads is loaded where the branch isn't taken only if it exists
// in any case.

module attributes {transform.with_named_sequence} {
// CHECK-LABEL: @of_any_extent
// CHECK: scf.if
// CHECK-NEXT: affine.load %arg2
func.func @of_any_extent(%a: memref<64xf32>, %b: memref<64xf32>,
                         %c: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %t = scf.if %p -> f32 {
      %y = affine.load %c[%i + 64] : memref<?xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    affine.store %t, %b[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @at_unknown_index
// CHECK: scf.if
// CHECK-NEXT: affine.load %arg0
func.func @at_unknown_index(%a: memref<64xf32>, %b: memref<64xf32>,
                            %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %t = scf.if %p -> f32 {
      %y = affine.load %a[%i mod symbol(%n) + 64] : memref<64xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    affine.store %t, %b[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @beyond_the_end
// CHECK: scf.if
// CHECK-NEXT: affine.load %arg0
func.func @beyond_the_end(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i, 0] : memref<64x64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %t = scf.if %p -> f32 {
      %y = affine.load %a[%i + 1, %i] : memref<64x64xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    affine.store %t, %b[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @before_the_start
// CHECK: scf.if
// CHECK-NEXT: affine.load %arg0
func.func @before_the_start(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i, 0] : memref<64x64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %t = scf.if %p -> f32 {
      %y = affine.load %a[%i - 1, %i] : memref<64x64xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    affine.store %t, %b[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @inside
// CHECK-NOT: scf.if
func.func @inside(%a: memref<64xf32>, %b: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %t = scf.if %p -> f32 {
      %y = affine.load %a[63 - %i] : memref<64xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    affine.store %t, %b[%i] : memref<64xf32>
  }
  return
}

// What the sum was may be no number, of which the flags speak if it is added.
// CHECK-LABEL: @flags
// CHECK: arith.select
// CHECK-NEXT: arith.addf {{.*}} fastmath<reassoc,contract>
func.func @flags(%a: memref<64xf32>, %s: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %p = arith.cmpf ogt, %x, %zero : f32
    %y = affine.load %s[0] : memref<1xf32>
    %u = arith.addf %y, %x fastmath<reassoc,nnan,ninf,contract> : f32
    %t = arith.select %p, %u, %y : f32
    affine.store %t, %s[0] : memref<1xf32>
  }
  return
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %nests = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  transform.foreach %nests : !transform.any_op {
  ^bb0(%nest: !transform.any_op):
    %new = transform.baco.restructure %nest "original()"
        : (!transform.any_op) -> !transform.any_op
  }
  transform.yield
}
}
