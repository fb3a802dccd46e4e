//===- ParseQuietly.h - Read an attribute from a text -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For generated text: errors are reported elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_IR_PARSEQUIETLY_H
#define BACO_LIB_IR_PARSEQUIETLY_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

namespace baco {

/// Parses `text` as an attribute; null, with the first error in `message`, if
/// the text or the attribute is invalid.
inline mlir::Attribute parseQuietly(llvm::StringRef text,
                                    mlir::MLIRContext *context,
                                    std::string &message) {
  mlir::ScopedDiagnosticHandler handler(context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          if (message.empty())
                                            message = diagnostic.str();
                                          return mlir::success();
                                        });
  return mlir::parseAttribute(text, context);
}

} // namespace baco

#endif // BACO_LIB_IR_PARSEQUIETLY_H
