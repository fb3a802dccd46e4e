//===- BacoInterfaces.td - Interfaces of attributes --------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interfaces of all domains, and of all steps of recipes.
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
    One step of a recipe, as far as its fields tell. lib/Recipe/Steps.h declares
    what each step requires of an op, and does to it.
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
  ];
}

#endif // BACO_IR_BACOINTERFACES_TD
