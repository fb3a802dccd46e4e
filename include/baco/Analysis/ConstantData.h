//===- ConstantData.h - Bytes of constants ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_CONSTANTDATA_H
#define BACO_ANALYSIS_CONSTANTDATA_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

namespace baco {

/// The bytes of an element of type `element`; 0 if elements aren't whole bytes.
int64_t bytesOf(mlir::Type element);

/// The bytes of `data`, of one element if all are equal; nothing if they are
/// missing or elided.
llvm::ArrayRef<char> bytesOf(mlir::ElementsAttr data);

/// Whether `data` are all elements of its type, or one that is equal to all.
bool hasData(mlir::ElementsAttr data);

/// Data of `type` that are kept as `data` are: in a resource of a like name, or
/// in the attribute. `blob` has all elements.
mlir::ElementsAttr createLike(mlir::ElementsAttr data,
                              mlir::RankedTensorType type,
                              mlir::AsmResourceBlob blob);

} // namespace baco

#endif // BACO_ANALYSIS_CONSTANTDATA_H
