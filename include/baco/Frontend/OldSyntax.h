//===- OldSyntax.h - Renamed ops --------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_OLDSYNTAX_H
#define BACO_FRONTEND_OLDSYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace baco::frontend {

/// The present name of an op, on one line, if `message` is a parser's error
/// about an op that upstream has renamed.
std::optional<std::string> adviseOnOldSyntax(llvm::StringRef message);

} // namespace baco::frontend

#endif // BACO_FRONTEND_OLDSYNTAX_H
