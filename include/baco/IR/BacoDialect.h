//===- BacoDialect.h - The baco dialect ------------------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect class; BacoAttributes.h has the attributes, BacoDialect.td says
// what they are for.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACODIALECT_H
#define BACO_IR_BACODIALECT_H

#include "mlir/IR/Dialect.h"
#include "llvm/Support/Error.h"

#include "baco/IR/BacoDialect.h.inc"

namespace baco {

/// The error says why `input` can't be the `baco.input` of an argument of this
/// type.
llvm::Error checkInput(mlir::Type type, mlir::Attribute input);

} // namespace baco

#endif // BACO_IR_BACODIALECT_H
