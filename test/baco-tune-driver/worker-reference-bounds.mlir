// Plain kernels that leave their bounds: the error names the access.
// RUN: rm -rf %t && split-file %s %t
// RUN: %exits 1 baco-tune-driver %t/loop.mlir --output-dir=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOOP
// LOOP: loop.mlir:1:1: error: the plain kernel, which computes the reference, leaves its bounds: {{.*}}loop.mlir:7:5: 'memref.store' in memref<2x256xf32> at [1, 256]; mend the bounds of its loops, its indices, or the type of the memory

// What is read there is NaN.
// RUN: %exits 1 baco-tune-driver %t/read.mlir --output-dir=%t \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: the plain kernel, which computes the reference, leaves its bounds: {{.*}}read.mlir:3:10: 'memref.load' in memref<256xf32> at [256]; mend

// No value of an integer helps.
// RUN: %exits 1 baco-tune-driver %t/write.mlir --output-dir=%t --arg=kernel:0=7 \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: the kernel leaves its bounds with 7 for argument 0: {{.*}}write.mlir:5:5: 'memref.store' in memref<256xf32> at [256]; no other value was found to be good either, so that the bounds in the file may be wrong

// The proposal works.
// RUN: %exits 1 baco-tune-driver %t/size.mlir --output-dir=%t --arg=kernel:0=1000 \
// RUN:   --schedule=%S/Inputs/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: the kernel leaves its bounds with 1000 for argument 0: {{.*}}size.mlir:3:10: 'memref.load' in memref<256xf32> at [256]; the largest value that is known to be good is that of --arg=kernel:0=256{{$}}
// RUN: baco-tune-driver %t/size.mlir --output-dir=%t --arg=kernel:0=256 \
// RUN:   --schedule=%S/Inputs/by-hand.mlir %quick
// Indices beyond the table aren't left out silently.
// RUN: baco-tune-driver %t/table.mlir --output-dir=%t "--arg=kernel:t=below(300)" \
// RUN:   --schedule=%S/Inputs/by-hand.mlir %quick 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: table.mlir:1:1: warning: argument 0 holds 0..255 only, not 0..299 as given: {{.*}}; write --arg=kernel:0=0..255, or mend the type of the memory
//--- table.mlir
func.func @kernel(%t: memref<64xi32>, %a: memref<256xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %j = affine.load %t[%i] : memref<64xi32>
    %k = arith.index_cast %j : i32 to index
    %x = memref.load %a[%k] : memref<256xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}
//--- loop.mlir
func.func @over(%b: memref<2x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c257 = arith.constant 257 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c257 step %c1 {
    memref.store %x, %b[%c1, %i] : memref<2x256xf32>
  }
  return
}
//--- read.mlir
func.func @kernel(%n: index, %a: memref<256xf32>, %b: memref<256xf32>) {
  affine.for %i = 0 to 300 {
    %x = affine.load %a[%i] : memref<256xf32>
    affine.for %j = 0 to %n {
      affine.store %x, %b[%j] : memref<256xf32>
    }
  }
  return
}
//--- write.mlir
func.func @kernel(%n: index, %a: memref<256xf32>, %b: memref<256xf32>) {
  %x = memref.load %a[%n] : memref<256xf32>
  %y = arith.addf %x, %x : f32
  affine.for %i = 0 to 300 {
    affine.store %y, %b[%i] : memref<256xf32>
  }
  return
}
//--- size.mlir
func.func @kernel(%n: index, %a: memref<256xf32>, %b: memref<256xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<256xf32>
    affine.store %x, %b[%i] : memref<256xf32>
  }
  return
}
