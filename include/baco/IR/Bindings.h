//===- Bindings.h - Attributes that a knob sets ----------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `baco.bind` on a transform op says which of its attributes a knob sets; these
// functions read one entry of it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BINDINGS_H
#define BACO_IR_BINDINGS_H

#include "mlir/IR/Attributes.h"
#include "mlir/Support/LLVM.h"

namespace baco {

/// The name of the knob that `binding` (a value in the dictionary `baco.bind`)
/// reads; empty if `binding` is neither a string nor a `#baco.reorder`.
llvm::StringRef getBoundKnob(mlir::Attribute binding);

/// What the bound attribute becomes when its knob has `value` (a value of the
/// knob's domain). Lists of integers are written the way that upstream wants:
/// like `current`, the attribute's present value, and as `array<i64>` if that
/// is null. Fails, without a diagnostic, if `binding` is a `#baco.reorder` and
/// `value` is not an order of at most so many elements.
mlir::FailureOr<mlir::Attribute> resolveBinding(mlir::Attribute binding,
                                                mlir::Attribute value,
                                                mlir::Attribute current);

} // namespace baco

#endif // BACO_IR_BINDINGS_H
