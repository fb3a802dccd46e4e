//===- ParseQuietly.h - Read an attribute from a text -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For texts that no user wrote: an error in them is told at another place.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_IR_PARSEQUIETLY_H
#define BACO_LIB_IR_PARSEQUIETLY_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

namespace baco {

/// The attribute that `text` says; null, with the first error in `message`, if
/// the text or the attribute is wrong.
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
