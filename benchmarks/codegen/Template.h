//===- Template.h - Payloads with sizes -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placeholders in payloads, for which MLIR has no means: extents and types are
// static there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_TEMPLATE_H
#define BACO_BENCHMARKS_CODEGEN_TEMPLATE_H

#include "Cases.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace baco::benchmarks {

/// Replaces `{{NAME}}` by a word or a size of the case, or by `f32` or `f64` if
/// the name is T; and `{{NAME-1}}` (or +, or /) by the size minus one. Errors
/// name the placeholder.
llvm::Expected<std::string> expandTemplate(llvm::StringRef text,
                                           const Case &target);

/// A name for the files of a case.
std::string caseFileName(const std::string &row, const std::string &name);

/// Writes the payload of a case, a file in `sourceDir`, with its sizes to
/// `NAME.mlir` in `workDir`; returns that file's path.
llvm::Expected<std::string> writePayload(const std::string &sourceDir,
                                         const std::string &workDir,
                                         const std::string &name,
                                         const Case &target);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_TEMPLATE_H
