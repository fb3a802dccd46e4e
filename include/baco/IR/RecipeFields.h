//===- RecipeFields.h - Fields of a recipe's steps -------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A field of a step is a constant or a knob. This file has the numbers that it
// stands for, and checks of fields for the verifiers of steps.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_RECIPEFIELDS_H
#define BACO_IR_RECIPEFIELDS_H

#include "baco/Expression/Expression.h"
#include "baco/IR/BacoAttributes.h"

#include "mlir/IR/Diagnostics.h"

namespace baco {

/// A number that a recipe writes as a constant or as a knob.
class Quantity {
public:
  /// `field` is an integer, a knob, or an array of these: their product.
  explicit Quantity(mlir::Attribute field) : field(field) {}

  /// Whether it depends on a knob.
  bool isKnob() const;
  mlir::Attribute getField() const { return field; }
  /// The integers and knobs of which it is the product.
  llvm::ArrayRef<mlir::Attribute> getFactors() const;
  /// The constant; only if this isn't a knob.
  int64_t getConstant() const;
  /// Bounds on the value.
  int64_t smallest() const;
  int64_t largest() const;
  /// Whether `holds` is true of every value; stops at the first that isn't.
  bool allOf(llvm::function_ref<bool(int64_t)> holds) const;
  /// As expressions read it: `64` or `MC`.
  Expression expression() const;
  std::string str() const { return expression().text(); }
  /// As messages name it: `64` or `'MC'`.
  std::string quoted() const;

  bool operator==(const Quantity &other) const { return field == other.field; }

private:
  mlir::Attribute field;
};

/// Checks a field of a step: an integer of at least `minimum`, or a knob whose
/// values are integers of at least `knobMinimum`. `what` names the field ("a
/// tile size").
mlir::LogicalResult
verifyQuantity(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
               llvm::StringRef what, mlir::Attribute field, int64_t minimum,
               int64_t knobMinimum = 1);

/// Checks an order: a list that is a permutation, or a knob with a permutation
/// domain; in either case, of `count` elements if that is given.
mlir::LogicalResult
verifyOrder(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
            mlir::Attribute order, std::optional<int64_t> count);

/// Checks the field `enabled`, which says whether: 0, 1, or a knob over these;
/// null is 1.
mlir::LogicalResult
verifySwitch(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             mlir::Attribute enabled);

/// The condition that `enabled` is 0, or isn't: none if it holds always,
/// nullopt if never.
std::optional<llvm::SmallVector<Expression, 1>>
whereOff(mlir::Attribute enabled);
std::optional<llvm::SmallVector<Expression, 1>>
whereOn(mlir::Attribute enabled);

/// Checks a list with an entry for each iterator: constants of at least 0 and
/// knobs with positive integers, not all 0. `what` names an entry.
mlir::LogicalResult
verifyEntries(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
              llvm::StringRef what, mlir::ArrayAttr entries);

/// Checks a field that may be a product: a list of at least two positive
/// constants and knobs. Else it is like `verifyQuantity`.
mlir::LogicalResult
verifyProduct(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
              llvm::StringRef what, mlir::Attribute field, int64_t minimum);

/// Checks that a list of operands has none that is negative, or twice. `what`
/// says in messages what a step does to them ("promoted").
mlir::LogicalResult
verifyOperands(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
               mlir::DenseI64ArrayAttr operands, llvm::StringRef what);

/// Whether a size of a tile step makes a loop: all but the constant 0.
bool makesLoop(mlir::Attribute size);

/// The values of a field that is a string or a knob over strings.
llvm::SmallVector<llvm::StringRef> textsOf(mlir::Attribute field);

} // namespace baco

#endif // BACO_IR_RECIPEFIELDS_H
