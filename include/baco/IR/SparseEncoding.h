//===- SparseEncoding.h - Formats of sparse tensors in types ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the encodings of MLIR's sparse_tensor and the formats that lib/Sparse
// packs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_SPARSEENCODING_H
#define BACO_IR_SPARSEENCODING_H

#include "baco/Sparse/Storage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "llvm/Support/Error.h"

namespace baco {

/// The encoding of a tensor type; null if it has none, or another one.
mlir::sparse_tensor::SparseTensorEncodingAttr encodingOf(mlir::Type type);

/// Whether `type` is of a sparse tensor.
inline bool isSparse(mlir::Type type) {
  return llvm::isa<mlir::RankedTensorType>(type) && encodingOf(type);
}

/// The format in which code takes tensors of this encoding. Levels that may be
/// in any order (`nonordered`) are packed in increasing order.
///
/// Fails, with what isn't supported, for levels that are `structured`, `batch`,
/// `loose_compressed` or a `singleton` without `soa`, level expressions other
/// than a dimension or its `floordiv` and `mod`, slices, and values that aren't
/// stored.
llvm::Expected<sparse::StorageFormat>
storageFormat(mlir::sparse_tensor::SparseTensorEncodingAttr encoding);

/// The encoding of tensors in `format`; widths of 64 bits are native ones (0).
/// The dialect `sparse_tensor` must be loaded. Fails if the levels don't
/// determine each coordinate, or the dialect doesn't have such levels.
llvm::Expected<mlir::sparse_tensor::SparseTensorEncodingAttr>
makeEncoding(mlir::MLIRContext *context, const sparse::StorageFormat &format);

/// Whether a linalg op reduces a sparse tensor by a product, a minimum, a
/// maximum or bits of `and`, to more than one number. Upstream makes a
/// `sparse_tensor.reduce` of these, so that zeros that aren't stored count; its
/// rewriting has the only element of the result as identity, and is invalid IR
/// where there are more.
bool reducesZerosToTensor(mlir::linalg::LinalgOp op);
/// The message about such an op.
inline constexpr llvm::StringLiteral reducesZerosComplaint =
    "upstream makes loops of a product, a minimum, a maximum or an 'and' of a "
    "sparse tensor only where the result is one number; use "
    "'sparse_tensor.reduce', which leaves out what isn't stored";

} // namespace baco

#endif // BACO_IR_SPARSEENCODING_H
