//===- LoopCommands.h - Commands on loop nests ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes of commands (BacoLoopCommands.td) and commands of lib/Polyhedral;
// names of knobs in their arguments.
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
/// null for a name that it doesn't know, which then stays; the name lives as
/// long as the call. The result is not verified: see findInvalidField.
mlir::Attribute
resolveKnobNames(mlir::Attribute command,
                 llvm::function_ref<mlir::Attribute(llvm::StringRef)> valueOf);

/// The first name in `command` that isn't in `known`, empty if there is none:
/// in its fields, or in the condition of a split, which may also read the loops
/// L1, L2, ... and the nest's parameters p0, p1, ....
std::string findUnknownName(mlir::Attribute command,
                            llvm::ArrayRef<llvm::StringRef> known);

/// Fails with an error if there is one; `known` are the knobs of `where` ("the
/// recipe").
mlir::LogicalResult
verifyKnobNames(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                mlir::Attribute command, llvm::ArrayRef<llvm::StringRef> known,
                llvm::StringRef where);

/// Checks that one of `first` ... `last`, loops and linalg ops of one block,
/// has as many loops as the commands of their recipe, that of `first`, name, as
/// far as one can tell before they run. Fails with an error at the command.
mlir::LogicalResult verifyLoopNumbers(mlir::Operation *first,
                                      mlir::Operation *last, RecipeAttr recipe);

/// The error of the verifier of `command`, in which knobs were resolved; empty
/// if it is valid.
std::string findInvalidField(mlir::Attribute command);

/// The arguments of the attribute of `command`: words are what `nameKnob` gives
/// (a string if that is null), texts are strings.
llvm::SmallVector<mlir::Attribute>
toFields(mlir::MLIRContext *context, const polyhedral::LoopCommand &command,
         llvm::function_ref<mlir::Attribute(llvm::StringRef)> nameKnob = {});

/// The value that an argument is; of a knob, its name. What can't be one is a
/// text that is no name.
polyhedral::LoopValue toValue(mlir::Attribute argument);

/// The values of the arguments of `command`; knobs are their names.
polyhedral::LoopCommand toLoopCommand(LoopCommandAttr command);

/// Reads a script (polyhedral::parseLoopScript) as attributes, in which words
/// are names of knobs. Fails after `emitError` said what isn't understood.
mlir::FailureOr<mlir::ArrayAttr>
parseLoopScript(mlir::MLIRContext *context, llvm::StringRef script,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace baco

#endif // BACO_IR_LOOPCOMMANDS_H
