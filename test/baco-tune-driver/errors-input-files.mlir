// Errors in files of arguments, one line each; exit code 1.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t/none.npy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: arg: argument x of '@scale' can't be '@{{.*}}none.npy': '{{.*}}none.npy' can't be read: No such file or directory
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@ 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: arg: argument x of '@scale' can't be '@': '' can't be read: No such file or directory
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: is no regular file; save the array to one
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: errors-input-files.mlir' isn't a file of numpy.save: it doesn't begin as one
// RUN: %python %S/Inputs/write-npy.py %t/type.npy '<f4' 10x20 'range(200)'
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t/type.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: type.npy': it holds elements of type '<f4', but the argument's are f64; save it as numpy.float64
// RUN: %python %S/Inputs/write-npy.py %t/big.npy '>f8' 10x20 'range(200)'
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t/big.npy 2>&1 | FileCheck %s --check-prefix=BIG
// BIG: big.npy' holds elements of type '>f8', which aren't little-endian; save them as '<f8', for example by array.astype('<f8')
// RUN: %python %S/Inputs/write-npy.py %t/shape.npy '<f8' 20x10 'range(200)'
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t/shape.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: shape.npy': its shape is 20x10, but the argument's type is memref<10x20xf64>; save an array of this shape
// RUN: head -c 1000 %t/shape.npy > %t/short.npy
// RUN: %exits 1 baco-tune-driver %s --arg=scale:x=@%t/short.npy 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: short.npy' has {{[0-9]+}} bytes of elements, but its header says 1600, 20x10 of '<f8'; save it again
// RUN: %exits 1 baco-tune-driver %s --arg=scale:n=@%t/shape.npy 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: arg: argument n of '@scale' can't be '@{{.*}}': a file is for memrefs and tensors; write a value
// RUN: %exits 1 baco-tune-driver %s --arg=scale:view=@%t/shape.npy 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: shape.npy': the argument has strides or an offset; only contiguous memory can have the contents of a file

// Attributes.
// RUN: sed 's|memref<10x20xf64>,|memref<10x20xf64> {baco.input = {file = "none.npy"}},|' %s > %t/attribute.mlir
// RUN: %exits 1 baco-tune-driver %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: attribute.mlir:[[#]]:1: error: 'baco.input' of argument 1: '{{.*}}errors-input-files.mlir.tmp/none.npy' can't be read: No such file or directory

// Indices that leave the memory.
// RUN: %python %S/Inputs/write-npy.py %t/large.npy '<i8' 200 'range(1, 201)'
// RUN: %exits 1 baco-tune-driver %s --output-dir=%t --arg=scale:order=@%t/large.npy 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: error: the kernel leaves its bounds with the elements of argument 2 ('{{.*}}large.npy'): {{.*}}.mlir:{{[0-9]+}}:10: 'memref.load' in memref<200xf64> at [200]; give others by --arg=scale:2=...
func.func @scale(%n: f64, %x: memref<10x20xf64>, %order: memref<200xindex>,
                 %view: memref<20x10xf64, strided<[20, 1]>>,
                 %y: memref<200xf64>) {
  affine.for %i = 0 to 200 {
    %at = affine.load %order[%i] : memref<200xindex>
    %0 = memref.load %y[%at] : memref<200xf64>
    %1 = arith.mulf %0, %n : f64
    affine.store %1, %y[%i] : memref<200xf64>
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %0 = affine.load %x[%i, %j] : memref<10x20xf64>
      %1 = affine.load %view[%j, %i] : memref<20x10xf64, strided<[20, 1]>>
      %2 = arith.mulf %0, %1 : f64
      affine.store %2, %x[%i, %j] : memref<10x20xf64>
    }
  }
  return
}
