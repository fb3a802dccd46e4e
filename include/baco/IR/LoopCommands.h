//===- LoopCommands.h - Commands on loop nests ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common functions of commands (BacoLoopCommands.td): names of knobs in their
// fields, and CHiLL's notation for lists of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_LOOPCOMMANDS_H
#define BACO_IR_LOOPCOMMANDS_H

#include "baco/IR/BacoAttributes.h"

#include "mlir/IR/Diagnostics.h"

namespace baco {

/// Whether `attribute` is a list of commands, at least one.
bool isCommandList(mlir::Attribute attribute);

/// `command` with the names of knobs replaced by their values. `valueOf` gives
/// null for a name that it doesn't know, which then stays. The result is not
/// verified: see findInvalidField.
mlir::Attribute
resolveKnobNames(mlir::Attribute command,
                 llvm::function_ref<mlir::Attribute(llvm::StringRef)> valueOf);

/// The first name in `command` that isn't in `known`: in its fields, or in the
/// condition of a split, which may also read the loops L1, L2, ... and the
/// nest's parameters p0, p1, ....
std::optional<llvm::StringRef>
findUnknownName(mlir::Attribute command, llvm::ArrayRef<llvm::StringRef> known);

/// Fails with an error if there is one; `known` are the knobs of `where` ("the
/// recipe").
mlir::LogicalResult
verifyKnobNames(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                mlir::Attribute command, llvm::ArrayRef<llvm::StringRef> known,
                llvm::StringRef where);

/// Checks that one of `first` ... `last`, loops and linalg ops of one block,
/// has the loops that the commands of their recipe name, where this is known
/// before they run. Fails with an error at `first`.
mlir::LogicalResult verifyLoopNumbers(mlir::Operation *first,
                                      mlir::Operation *last,
                                      mlir::ArrayAttr commands);

/// The error of the verifier of `command`, in which knobs were resolved; empty
/// if there is none.
std::string findInvalidField(mlir::Attribute command);

/// Reads a CHiLL script, such as `permute([3,1,2]) tile(0,2,TJ)`, as commands:
/// names with arguments in parentheses, separated by white space; `#` starts a
/// comment. Names and order of arguments are those of Tiwari et al., "A
/// scalable auto-tuning framework for compiler optimization" (IPDPS 2009),
/// section 4.2; words are names of knobs. Further commands: skew, shift,
/// scale, reverse, distribute, fuse, align, vectorize, parallelize and auto.
/// Fails after `emitError` reported the syntax error.
mlir::FailureOr<mlir::ArrayAttr>
parseLoopScript(mlir::MLIRContext *context, llvm::StringRef script,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace baco

#endif // BACO_IR_LOOPCOMMANDS_H
