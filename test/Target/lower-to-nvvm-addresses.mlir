// Rows at constant distances have one address, and distances that are a part of their
// accesses, although the numbers of rows are compared with a bound, too.
// RUN: baco-opt %s --baco-lower-to-nvvm | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 'rows' {{.*}} in 3 orders

// CHECK:      gpu.binary @rows_kernel
// CHECK-SAME: ld.global.nc.b32 {{[^,]*}}, [%rd[[FROM:[0-9]+]]];
// CHECK-SAME: ld.global.nc.b32 {{[^,]*}}, [%rd[[FROM]]+3988];
// CHECK-SAME: ld.global.nc.b32 {{[^,]*}}, [%rd[[FROM]]+7976];
func.func @rows(%x: memref<40x997xf32>, %y: memref<42x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c14, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %row = arith.muli %bx, %c3 : index
    %next = arith.addi %row, %c1 : index
    %last = arith.addi %row, %c2 : index
    %r0 = arith.cmpi ult, %row, %c40 : index
    %r1 = arith.cmpi ult, %next, %c40 : index
    %r2 = arith.cmpi ult, %last, %c40 : index
    scf.if %r0 {
      %v = memref.load %x[%row, %tx] : memref<40x997xf32>
      memref.store %v, %y[%row, %tx] : memref<42x64xf32>
    }
    scf.if %r1 {
      %v = memref.load %x[%next, %tx] : memref<40x997xf32>
      memref.store %v, %y[%next, %tx] : memref<42x64xf32>
    }
    scf.if %r2 {
      %v = memref.load %x[%last, %tx] : memref<40x997xf32>
      memref.store %v, %y[%last, %tx] : memref<42x64xf32>
    }
    gpu.terminator
  }
  return
}
