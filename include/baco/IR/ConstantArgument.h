//===- ConstantArgument.h - Data that are the same in each call -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_CONSTANTARGUMENT_H
#define BACO_IR_CONSTANTARGUMENT_H

#include "llvm/ADT/StringRef.h"

namespace baco {

/// A unit attribute of an argument that is only read: its contents are the same
/// in each call.
inline constexpr llvm::StringLiteral kConstantArgument = "baco.constant";

/// A unit attribute of a `memref.alloc` for copies. In each block that fills
/// the buffer, ops that fill it come before those that read it, and write all
/// that these read.
inline constexpr llvm::StringLiteral kCopyBuffer = "baco.copy";

} // namespace baco

#endif // BACO_IR_CONSTANTARGUMENT_H
