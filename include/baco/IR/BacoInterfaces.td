//===- BacoInterfaces.td - Interfaces of attributes --------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all domains have in common, and what all steps of a recipe have in
// common. A new kind of step is one attribute that implements the latter.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOINTERFACES_TD
#define BACO_IR_BACOINTERFACES_TD

include "mlir/IR/OpBase.td"

def DomainAttrInterface : AttrInterface<"DomainAttrInterface"> {
  let cppNamespace = "::baco";
  let description = [{
    A set of values that a knob can take. Values are attributes: `i64` integers,
    `f64` floats, booleans, strings, and for an order an array of integers
    (`[1, 0]` or `array<i64: 1, 0>`).
  }];
  let methods = [
    InterfaceMethod<"Whether `value` is in the domain.",
      "bool", "contains", (ins "::mlir::Attribute":$value)>,
    InterfaceMethod<"The first value; the identity for an order.",
      "::mlir::Attribute", "getFirst">,
    InterfaceMethod<"The number of values; 0 for a range of reals.",
      "uint64_t", "getSize">,
  ];
}

def RecipeStepInterface : AttrInterface<"RecipeStepInterface"> {
  let cppNamespace = "::baco";
  let description = [{
    One step of a recipe. A recipe calls, for each step in order, `expand` and
    then `advance` (only `advance` if it just verifies): both see the op as the
    steps before have left it.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the step works only on tiles of a static shape: the tiles made
        by all earlier steps must then divide what they tile.
      }], "bool", "needsFullTiles", (ins), "", "return false;">,
    InterfaceMethod<[{
        The field of the step that says whether it is done: 0, 1 or a knob over
        these; null if it always is.
      }], "::mlir::Attribute", "getEnabled", (ins), "",
      "return ::mlir::Attribute();">,
    InterfaceMethod<[{
        Checks the step against the op, states its constraints in `state`, and
        updates `state` to what is there after the step. Fails after it has
        reported why through `state`.
      }], "::mlir::LogicalResult", "advance",
      (ins "::baco::RecipeState &":$state)>,
    InterfaceMethod<"Appends the transform ops that do the step.",
      "void", "expand", (ins "::baco::RecipeExpander &":$expander)>,
  ];
}

#endif // BACO_IR_BACOINTERFACES_TD
