// RUN: baco-opt %s --baco-lower-to-nvvm --baco-export-kernels=folder=%t \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

func.func @size(%x: memref<256xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error@below {{baco-export-kernels: the launch depends on values that aren't constant}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %n, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%b] : memref<256xf32>
    memref.store %v, %x[%t] : memref<256xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @argument(%x: memref<256xf32>) -> memref<256xf32> {
  %c1 = arith.constant 1 : index
  %y = memref.alloc() : memref<256xf32>
  // expected-error@below {{baco-export-kernels: the kernel takes a value that isn't an argument of the function}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%b] : memref<256xf32>
    memref.store %v, %y[%t] : memref<256xf32>
    gpu.terminator
  }
  return %y : memref<256xf32>
}
