//===- ArgumentText.h - Values of arguments in options ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options that say something of a function's arguments have one syntax:
// FUNCTION:N=VALUE,N=VALUE;N=VALUE;FUNCTION:...
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_ARGUMENTTEXT_H
#define BACO_LIB_FRONTEND_ARGUMENTTEXT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace baco::frontend {

/// The values that one group of an option has for the arguments of a function.
struct ArgumentTexts {
  mlir::func::FuncOp function;
  /// Each argument, by its number or name, and the text for it.
  llvm::SmallVector<std::pair<std::string, std::string>> values;
};

/// The groups of `text`, which are separated by `;`; none if it is empty. A
/// group without a function is for that of the one before it. The error shows
/// `example`, or lists the functions with a body that `module` has.
llvm::Expected<llvm::SmallVector<ArgumentTexts>>
readArgumentTexts(mlir::ModuleOp module, llvm::StringRef text,
                  llvm::StringRef example);

/// The number of the argument of `function` that `name` says: a number, or the
/// name (with or without `%`) that the file, if it still can be read, gives it.
llvm::Expected<unsigned> findArgument(mlir::func::FuncOp function,
                                      llvm::StringRef name);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_ARGUMENTTEXT_H
