// Large constants are parts of a file, which the assembler reads.

// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s "--baco-store-constants=file=%t/a+\"b.bin min-bytes=16" --baco-lower-to-cpu > %t/lowered.mlir
// RUN: FileCheck %s --input-file=%t/lowered.mlir
// RUN: od -An -td4 -N 16 "%t/a+\"b.bin" | FileCheck %s --check-prefix=DATA
// RUN: wc -c < "%t/a+\"b.bin" | FileCheck %s --check-prefix=SIZE
// RUN: %stock-mlir-translate --mlir-to-llvmir %t/lowered.mlir \
// RUN: | %clang -O2 -Wno-override-module -x ir - -x c %S/Inputs/print-constants.c -o %t/program
// RUN: %t/program | FileCheck %s --check-prefix=RESULT

// RUN: not baco-opt %s --baco-lower-to-cpu=constants=%t/none/x.bin 2>&1 \
// RUN: | FileCheck %s --check-prefix=ERROR -DFILE=%t/none/x.bin
// ERROR: store-constants.mlir:{{.*}}: error: cannot write the constants to '[[FILE]]': {{.*}}No such file or directory

// CHECK: module attributes {llvm.module_asm = [
// CHECK-SAME: ".pushsection .rodata,\22a\22,@progbits", ".balign 64", "\22large\22:", ".incbin \22{{[^"]*}}a+\\\22b.bin\22,0,16", ".popsection"
// CHECK-SAME: ".balign 128", "\22other one\22:", ".incbin {{.*}},16,24"
// CHECK-DAG: llvm.mlir.global external constant @large() {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<4 x i32>
// CHECK-DAG: llvm.mlir.global external constant @"other one"() {addr_space = 0 : i32, alignment = 128 : i64}
// CHECK-DAG: llvm.mlir.global private constant @small(dense<[1, 2]>
// CHECK-DAG: llvm.mlir.global private constant @equal(dense<7>
// CHECK-DAG: llvm.mlir.global private @changes(

// DATA: 10 20 30 40
// SIZE: 40

// RESULT: 10 40 1 7

memref.global "private" constant @large : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global "private" constant @"other one" : memref<3xf64> = dense_resource<more> {alignment = 128}
memref.global "private" constant @small : memref<2xi32> = dense<[1, 2]>
memref.global "private" constant @equal : memref<4096xi32> = dense<7>
memref.global "private" @changes : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func @kernel(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %large = memref.get_global @large : memref<4xi32>
  %a = memref.load %large[%c0] : memref<4xi32>
  memref.store %a, %out[%c0] : memref<4xi32>
  %b = memref.load %large[%c3] : memref<4xi32>
  memref.store %b, %out[%c1] : memref<4xi32>
  %small = memref.get_global @small : memref<2xi32>
  %c = memref.load %small[%c0] : memref<2xi32>
  memref.store %c, %out[%c2] : memref<4xi32>
  %equal = memref.get_global @equal : memref<4096xi32>
  %d = memref.load %equal[%c3] : memref<4096xi32>
  memref.store %d, %out[%c3] : memref<4xi32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      more: "0x08000000000000000000F03F00000000000000400000000000000840"
    }
  }
#-}
