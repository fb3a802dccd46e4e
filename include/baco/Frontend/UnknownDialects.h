//===- UnknownDialects.h - Advice on unknown dialects -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names the tool that converts a dialect outside upstream MLIR to linalg.
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_UNKNOWNDIALECTS_H
#define BACO_FRONTEND_UNKNOWNDIALECTS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace baco::frontend {

/// Advice on a parser's error `message`, on one line, if the error is about an
/// op, a type or an attribute of an unregistered dialect. `before` is the line
/// of the file up to the place of the error.
std::optional<std::string> adviseOnUnknownDialect(llvm::StringRef message,
                                                  llvm::StringRef before);

} // namespace baco::frontend

#endif // BACO_FRONTEND_UNKNOWNDIALECTS_H
