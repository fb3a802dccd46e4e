// A module with tiles asks Linux for them, without a library.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,dot-products=2" --baco-expand-recipes --baco-concretize --transform-interpreter --canonicalize --cse -o %t.mlir
// RUN: sed 's/\(func.func @.*)\) {/\1 attributes {baco.target_options = {dot_products = 2}} {/' %t.mlir | baco-opt --baco-tile-products | FileCheck %s
// RUN: sed 's/\(func.func @.*)\) {/\1 attributes {baco.target_options = {dot_products = 1}} {/' %t.mlir | baco-opt --baco-tile-products | FileCheck %s --check-prefix=WITHOUT

// CHECK: llvm.func internal @baco_permit_tiles() {
// CHECK-DAG: %[[CALL:.*]] = llvm.mlir.constant(158 : i64)
// CHECK-DAG: %[[REQUEST:.*]] = llvm.mlir.constant(4131 : i64)
// CHECK-DAG: %[[TILES:.*]] = llvm.mlir.constant(18 : i64)
// CHECK: llvm.inline_asm has_side_effects "syscall", "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}" %[[CALL]], %[[REQUEST]], %[[TILES]]
// CHECK: llvm.mlir.global_ctors ctors = [@baco_permit_tiles], priorities = [0 : i32], data = [#llvm.zero]

// WITHOUT-NOT: baco_permit_tiles
func.func @product(%a: memref<32x64xi8>, %b: memref<64x32xi8>,
                   %c: memref<32x32xi32>) {
  linalg.matmul ins(%a, %b : memref<32x64xi8>, memref<64x32xi8>)
                outs(%c : memref<32x32xi32>)
  return
}
