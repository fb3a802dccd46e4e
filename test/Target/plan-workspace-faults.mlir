// Temporaries get no new pages: from the third call on, or from the second if
// the memory stays with the caller or the module.

// RUN: baco-opt %s --baco-lower-to-cpu | %stock-mlir-translate --mlir-to-llvmir \
// RUN: | %clang -O1 -Wno-override-module -DFIRST=2 -x ir - -x c %S/Inputs/count-faults.c -o %t.alloc
// RUN: %t.alloc | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu=workspace=argument \
// RUN: | %stock-mlir-translate --mlir-to-llvmir \
// RUN: | %clang -O1 -Wno-override-module -DFIRST=1 -DARGUMENT -x ir - -x c %S/Inputs/count-faults.c -o %t.argument
// RUN: %t.argument | FileCheck %s --check-prefixes=CHECK,SECOND,ARGUMENT
// RUN: baco-opt %s --baco-lower-to-cpu=workspace=global \
// RUN: | %stock-mlir-translate --mlir-to-llvmir \
// RUN: | %clang -O1 -Wno-override-module -DFIRST=1 -x ir - -x c %S/Inputs/count-faults.c -o %t.global
// RUN: %t.global | FileCheck %s --check-prefixes=CHECK,SECOND

// ARGUMENT:     workspace: 20971520
// CHECK:        wrong: 0
// SECOND-NEXT:  call 2: 0 faults
// CHECK-NEXT:   call 3: 0 faults
// CHECK-NEXT:   call 4: 0 faults
// CHECK-NEXT:   call 5: 0 faults
// CHECK-NEXT:   call 6: 0 faults

#inner = affine_map<(i) -> (i)>
!vector = memref<1048576xf32>
!wide = memref<2x1048576xf32>

// The first and the last are never in use at the same time: 8, 8 and 4 MB of
// 12, 8 and 4.
func.func private @add_one(%x: !vector, %y: !vector) {
  %t = memref.alloc() : memref<1048576xf32>
  linalg.copy ins(%x : !vector) outs(%t : !vector)
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#inner, #inner], iterator_types = ["parallel"]}
    ins(%t : !vector) outs(%y : !vector) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %one : f32
    linalg.yield %s : f32
  }
  memref.dealloc %t : !vector
  return
}
func.func @kernel(%x: !vector) {
  %a = memref.alloc() : !wide
  %first = memref.subview %a[0, 0] [1, 1048576] [1, 1]
    : !wide to memref<1048576xf32, strided<[1]>>
  %a0 = memref.cast %first : memref<1048576xf32, strided<[1]>> to !vector
  call @add_one(%x, %a0) : (!vector, !vector) -> ()
  %b = memref.alloc() : !wide
  %second = memref.subview %b[0, 0] [1, 1048576] [1, 1]
    : !wide to memref<1048576xf32, strided<[1]>>
  %b0 = memref.cast %second : memref<1048576xf32, strided<[1]>> to !vector
  call @add_one(%a0, %b0) : (!vector, !vector) -> ()
  memref.dealloc %a : !wide
  %c = memref.alloc() : !wide
  %third = memref.subview %c[0, 0] [1, 1048576] [1, 1]
    : !wide to memref<1048576xf32, strided<[1]>>
  %c0 = memref.cast %third : memref<1048576xf32, strided<[1]>> to !vector
  call @add_one(%b0, %c0) : (!vector, !vector) -> ()
  memref.dealloc %b : !wide
  call @add_one(%c0, %x) : (!vector, !vector) -> ()
  call @add_one(%x, %x) : (!vector, !vector) -> ()
  memref.dealloc %c : !wide
  return
}
