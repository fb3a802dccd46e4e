//===- SparseOps.td - Transform ops for sparse tensors -----*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream's sparsifier makes of an op: the format of its sparse operand,
// and the order of loops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_SPARSEOPS_TD
#define BACO_TRANSFORMOPS_SPARSEOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def SparsifyOp : Op<Transform_Dialect, "baco.sparsify",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::baco";
  let summary = "chooses the format of a sparse operand, and the order of loops";
  let description = [{
    Each targeted linalg op has one sparse operand, an argument of its function.
    The argument gets the format `format`, see `#baco.sparsify`, with positions
    and coordinates of as many bits as `positions` and `coordinates` say, or else as
    before, also where no level stores any; calls of the function in the module pass a `sparse_tensor.convert` of
    what they passed. `tiles` splits iterators in
    two, the outer one over tiles, and dimensions of the sparse operand into levels, which the op gets as dimensions
    by `sparse_tensor.reinterpret_map`; `order` counts as `#baco.sparsify` says. The op becomes a `linalg.generic` whose iterators are in the
    order `order`, marked as `sorted`: upstream's sparsifier keeps that. The function
    gets the attributes `baco.sparse_vl`, `baco.sparse_simd32`, `baco.sparse_peel`,
    `baco.sparse_factor`, `baco.sparse_parallel` and `baco.sparse_unroll`, with which
    `--baco-lower-sparse` runs the sparsifier, and `baco.team_threads`,
    `baco.team_schedule` and `baco.team_chunk`, with which `--baco-lower-to-cpu` makes
    its parallel loops.

    The handle is consumed; the result is a handle to the new ops. A silenceable
    error if the op isn't such an op, the format doesn't suit it, or `order` doesn't
    visit the levels of the format from the outermost to the innermost one.

    Example:

    ```mlir
    %loops = transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>,
        coordinates = 16 : i64, vl = 8 : i64} : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   StrAttr:$format, DenseI64ArrayAttr:$order,
                   OptionalAttr<DenseI64ArrayAttr>:$tiles,
                   OptionalAttr<I64Attr>:$positions,
                   OptionalAttr<I64Attr>:$coordinates,
                   OptionalAttr<I64Attr>:$vl, OptionalAttr<I64Attr>:$simd32,
                   OptionalAttr<I64Attr>:$peel, OptionalAttr<I64Attr>:$factor,
                   OptionalAttr<StrAttr>:$parallel,
                   OptionalAttr<I64Attr>:$threads,
                   OptionalAttr<StrAttr>:$schedule,
                   OptionalAttr<I64Attr>:$chunk, OptionalAttr<I64Attr>:$unroll);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // BACO_TRANSFORMOPS_SPARSEOPS_TD
