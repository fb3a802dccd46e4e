// A recipe for a GPU fails on a CPU with one line that says why.
// RUN: baco-opt %s --baco-lower-to-cpu --verify-diagnostics

func.func @launch(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@below {{'gpu.launch' doesn't run on a CPU; lower it by baco-lower-to-nvvm, or use a recipe without steps for GPUs}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%b] : memref<64xf32>
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
