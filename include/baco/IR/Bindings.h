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

/// Whether `binding` (a value in the dictionary `baco.bind`) is the name of a
/// knob, a `#baco.reorder`, or a list of integers and names of knobs.
bool isBinding(mlir::Attribute binding);

/// The value of the bound attribute. `valueOf` gives the value of a knob, null
/// after a diagnostic if there is none. Lists of integers have the form that
/// upstream expects: that of `current`, the attribute's present value, or
/// `array<i64>` if that is null. Null, without a diagnostic, if a value doesn't
/// fit: no order of at most so many elements for a `#baco.reorder`, no integer
/// for a list. Fails if `valueOf` does.
mlir::FailureOr<mlir::Attribute>
resolveBinding(mlir::Attribute binding,
               llvm::function_ref<mlir::Attribute(llvm::StringRef)> valueOf,
               mlir::Attribute current);

} // namespace baco

#endif // BACO_IR_BINDINGS_H
