//===- UnknownSyntax.h - Advice on files that can't be parsed ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A note names the tool that converts a dialect outside upstream MLIR to
// linalg, or says what newer syntax old syntax has become.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_UNKNOWNSYNTAX_H
#define BACO_FRONTEND_UNKNOWNSYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace baco::frontend {

/// The present name of an op, on one line, if `message` is a parser's error
/// about an op that upstream has renamed.
std::optional<std::string> adviseOnOldSyntax(llvm::StringRef message);

/// Advice on a parser's error `message`, on one line, if the error is about an
/// op, a type or an attribute of an unregistered dialect. `before` is the line
/// of the file up to the place of the error.
std::optional<std::string> adviseOnUnknownDialect(llvm::StringRef message,
                                                  llvm::StringRef before);

} // namespace baco::frontend

#endif // BACO_FRONTEND_UNKNOWNSYNTAX_H
