//===- BacoAttributes.h - Attributes of the dialect ------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Domains, knobs, constraints, the recipe and its steps; documented in the .td
// files and, generated from these, in docs/generated/BacoDialect.md.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOATTRIBUTES_H
#define BACO_IR_BACOATTRIBUTES_H

#include "baco/IR/BacoDialect.h"
#include "baco/Polyhedral/LoopCommand.h"
#include "baco/Space/Parameter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/APFloat.h"

namespace baco {
class KnobAttr;

/// How the remainder is handled when a tile doesn't divide its extent; see
/// `#baco.tile`.
enum class Remainder { Exact, Split, Balance };

/// The elements of an order or another list of integers, written either as an
/// array of integers (`[1, 0]`) or as `array<i64: 1, 0>`; failure if `attr` is
/// neither.
mlir::FailureOr<llvm::SmallVector<int64_t>>
getIntegerList(mlir::Attribute attr);

/// Whether expressions can read a knob of that name: a letter or `_`, then
/// letters, digits and `_`.
bool isIdentifier(llvm::StringRef name);

/// Checks an expert's weights of the values of `knob`: one for each of `size`
/// values (any number if that is not known), none negative, not all zero. A
/// range of reals, of size 0, has none.
mlir::LogicalResult
verifyWeights(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
              llvm::StringRef knob, mlir::DenseF64ArrayAttr weights,
              std::optional<uint64_t> size);

/// The element of `known` that is most similar to the misspelled `name`; empty
/// if none is similar.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> known);
} // namespace baco

#include "baco/IR/BacoInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "baco/IR/BacoAttributes.h.inc"

#endif // BACO_IR_BACOATTRIBUTES_H
