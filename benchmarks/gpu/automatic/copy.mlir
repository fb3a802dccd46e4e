// A copy that is larger than any L2 cache, for the bandwidth of the memory.
// Reduced by: s/8192/64/g
func.func @copy(%x: memref<8192x8192xf32>, %y: memref<8192x8192xf32>) {
  memref.copy %x, %y : memref<8192x8192xf32> to memref<8192x8192xf32>
  return
}
