//===- ConstantData.h - Bytes of constants ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_CONSTANTDATA_H
#define BACO_ANALYSIS_CONSTANTDATA_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace baco {

/// The bytes of an element of type `element`; 0 if elements aren't whole bytes.
int64_t bytesOf(mlir::Type element);

/// The bytes of `data`, of one element if all are equal; nothing if they are
/// missing or elided.
llvm::ArrayRef<char> bytesOf(mlir::ElementsAttr data);

} // namespace baco

#endif // BACO_ANALYSIS_CONSTANTDATA_H
