//===- RemarksByKind.h - One remark for ops of a kind -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model has hundreds of ops, and what is said of one holds for many.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_REMARKSBYKIND_H
#define BACO_LIB_DRIVER_REMARKSBYKIND_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace baco::driver {

/// Keeps remarks back while it lives, and then emits the first one of each
/// text, with the number of the others. Other diagnostics pass.
class RemarksByKind {
public:
  explicit RemarksByKind(mlir::MLIRContext *context);
  ~RemarksByKind();

private:
  struct Kind {
    mlir::Diagnostic first;
    size_t count = 1;
  };

  mlir::MLIRContext *context;
  std::vector<Kind> kinds;
  llvm::StringMap<size_t> places;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_REMARKSBYKIND_H
