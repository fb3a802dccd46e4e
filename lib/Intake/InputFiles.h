//===- InputFiles.h - Arguments with the contents of files ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_INTAKE_INPUTFILES_H
#define BACO_LIB_INTAKE_INPUTFILES_H

#include "Extents.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace baco::intake {

/// Removes hashes that attributes of `module` have: they may be those of other
/// contents.
void forgetHashes(mlir::ModuleOp module);

/// The `baco.input` of an argument of `type` that has the contents of `file`,
/// which is relative to `folder`; empty: the current one. It has the absolute
/// name and the hash. The error says what is wrong with the file, or why it
/// doesn't suit the type.
llvm::Expected<mlir::DictionaryAttr>
readInputFile(mlir::Type type, llvm::StringRef file, llvm::StringRef folder);

/// Does that for all attributes of `module` without a hash, whose files are
/// relative to that of the module. Fails with a diagnostic.
llvm::LogicalResult readInputFiles(mlir::ModuleOp module);

/// Adds to `extents` of `function` those of the files that arguments have the
/// contents of. Fails with a diagnostic.
llvm::LogicalResult takeFileExtents(mlir::func::FuncOp function,
                                    Extents &extents);

} // namespace baco::intake

#endif // BACO_LIB_INTAKE_INPUTFILES_H
