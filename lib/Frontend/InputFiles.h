//===- InputFiles.h - Arguments with given contents -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_INPUTFILES_H
#define BACO_LIB_FRONTEND_INPUTFILES_H

#include "ShapeVersions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace baco::frontend {

/// Removes hashes that attributes of `module` have: they may be those of other
/// contents.
void forgetHashes(mlir::ModuleOp module);

/// The `baco.input` of an argument of `type` that has the contents of the file
/// `text`, which is relative to `folder`; empty: the current one. For a sparse
/// tensor, `text` may also be a generator. It has the absolute name, the hash,
/// and, for sparse tensors, what else is known of the entries. The error says
/// what is wrong with the file, or why it doesn't suit the type.
llvm::Expected<mlir::DictionaryAttr>
readContents(mlir::Type type, llvm::StringRef text, llvm::StringRef folder);

/// Does that for all attributes of `module` without a hash; their files are
/// relative to that of the module. Fails with a diagnostic.
llvm::LogicalResult readInputFiles(mlir::ModuleOp module);

/// Adds to `extents` of `function` those of the files and sparse tensors that
/// arguments have the contents of. Fails with a diagnostic.
llvm::LogicalResult takeFileExtents(mlir::func::FuncOp function,
                                    Extents &extents);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_INPUTFILES_H
