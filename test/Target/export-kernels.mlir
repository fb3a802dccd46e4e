// PTX and a line for the launch, for machines without MLIR.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-lower-to-nvvm \
// RUN:   --baco-export-kernels='folder=%t name=v7' -o /dev/null
// RUN: FileCheck %s --check-prefix=LIST < %t/v7.list
// RUN: FileCheck %s --check-prefix=PTX < %t/v7.ptx
// RUN: not baco-opt %s --baco-export-kernels=folder=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not baco-opt %s --gpu-kernel-outlining \
// RUN:   --baco-export-kernels=folder=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWER
// RUN: not baco-opt %s --baco-lower-to-nvvm \
// RUN:   --baco-export-kernels=folder=%t/nowhere 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER

// LIST: {{^}}v7 v7.ptx add_kernel 8 1 1 32 1 1 65536 1,0{{$}}

// PTX:     .target sm_90
// PTX:     .visible .entry add_kernel(
// PTX:     add.f32
// PTX:     {{^}}}{{$}}

// NONE: error: baco-export-kernels: no kernel is launched; lower the module by baco-lower-to-nvvm before
// LOWER: error: baco-export-kernels: the kernel has no text; lower the module by baco-lower-to-nvvm or baco-lower-to-opencl before
// FOLDER: error: baco-export-kernels: {{.*}}nowhere

func.func @add(%y: memref<256xf32>, %x: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 65536 : i32
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c8, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1)
      dynamic_shared_memory_size %bytes {
    %start = arith.muli %b, %c32 : index
    %i = arith.addi %start, %t : index
    %u = memref.load %x[%i] : memref<256xf32>
    %v = memref.load %y[%i] : memref<256xf32>
    %w = arith.addf %u, %v : f32
    memref.store %w, %y[%i] : memref<256xf32>
    gpu.terminator
  }
  return
}
