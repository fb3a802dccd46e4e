//===- UnknownDialects.h - Remedies for unknown dialects --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which tool makes linalg of a dialect that upstream MLIR doesn't have.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_UNKNOWNDIALECTS_H
#define BACO_FRONTEND_UNKNOWNDIALECTS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace baco::frontend {

/// The remedy for a parser's error `message`, on one line, if it is about an
/// op, a type or an attribute of a dialect that isn't registered. `before` is
/// the line of the file up to the place of the error.
std::optional<std::string> adviseOnUnknownDialect(llvm::StringRef message,
                                                  llvm::StringRef before);

} // namespace baco::frontend

#endif // BACO_FRONTEND_UNKNOWNDIALECTS_H
