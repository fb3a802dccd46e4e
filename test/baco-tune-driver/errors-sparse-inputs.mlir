// Errors in the entries of sparse arguments, one line each; exit code 1.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 baco-tune-driver %s --arg=spmv:0=@%t/none.mtx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: arg: argument 0 of '@spmv' can't be '@{{.*}}none.mtx': can't open '{{.*}}none.mtx': No such file or directory
// RUN: %exits 1 baco-tune-driver %s --arg=spmv:B=@%s 2>&1 | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: error: arg: argument B of '@spmv' can't be {{.*}}.mtx
// RUN: %exits 1 baco-tune-driver %s '--arg=spmv:0=ramt(scale=4)' 2>&1 | FileCheck %s --check-prefix=GENERATOR
// GENERATOR: there is no generator 'ramt', only rmat, banded
// RUN: %exits 1 baco-tune-driver %s --arg=spmv:0=0..1 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: a sparse tensor has the entries of a file or of a generator; write @FILE.mtx, or a generator such as rmat(scale=12, degree=8)
// RUN: %exits 1 baco-tune-driver %s '--arg=spmv:0=banded(rows=31, width=1)' 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: 'banded(rows=31, width=1)': its extent in dimension 1 is 31, but that of the argument's type is 32; write ? there, or take another tensor
// RUN: %exits 1 baco-tune-driver %s '--arg=spmv:0=uniform(extents=4x4x4, entries=9)' 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: it has 3 dimensions, but the argument has 2
// RUN: %exits 1 baco-tune-driver %s '--arg=spmv:1=banded(rows=32, width=1)' 2>&1 | FileCheck %s --check-prefix=DENSE
// DENSE: argument 1 of '@spmv' can't be 'banded(rows=32, width=1)': {{.*}}
// RUN: printf '%%%%%%%%MatrixMarket matrix coordinate real general\n2 32 1\n3 1 1.0\n' > %t/line.mtx
// RUN: %exits 1 baco-tune-driver %s --arg=spmv:0=@%t/line.mtx 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: line.mtx:3: {{.}}

// Attributes; their files are beside the module.
// RUN: sed 's|%B: tensor<?x32xf64, #CSR>,|%B: tensor<?x32xf64, #CSR> {baco.input = {tensor = "none.mtx"}},|' %s > %t/attribute.mlir
// RUN: %exits 1 baco-tune-driver %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: attribute.mlir:[[#]]:1: error: 'baco.input' of argument 0: can't open '{{.*}}errors-sparse-inputs.mlir.tmp/none.mtx': No such file or directory
// RUN: sed 's|%B: tensor<?x32xf64, #CSR>,|%B: tensor<?x32xf64, #CSR> {baco.input = {uniform = [0, 1]}},|' %s > %t/attribute.mlir
// RUN: %exits 1 baco-tune-driver %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: 'func.func' op 'baco.input' of argument 0 is {uniform = [0, 1]}: a sparse tensor has the entries of a file or of a generator; write {tensor = "x.mtx"} or {tensor = "rmat(scale=12, degree=8)"}
// RUN: sed 's|%x: tensor<32xf64>,|%x: tensor<32xf64> {baco.input = {tensor = "x.mtx"}},|' %s > %t/attribute.mlir
// RUN: %exits 1 baco-tune-driver %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=ENCODED
// ENCODED: 'tensor' is for sparse tensors, whose type has a #sparse_tensor.encoding
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @spmv(%B: tensor<?x32xf64, #CSR>, %x: tensor<32xf64>,
                %y: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<?x32xf64, #CSR>, tensor<32xf64>)
    outs(%y : tensor<?xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// RUN: %exits 1 baco-tune-driver %s 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: remark: not tuned: the shapes of its arguments are dynamic; give the entries of argument 0 by --arg=spmv:0=@FILE; say which shapes to tune: --shape=spmv:0=256x32,2=256

// Of a tensor without elements there is nothing to make up.
// RUN: sed 's/?x/0x/g' %s > %t/empty.mlir
// RUN: %exits 1 baco-tune-driver %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY --implicit-check-not="made up"
// EMPTY: empty.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: no automatic recipe: it is empty
