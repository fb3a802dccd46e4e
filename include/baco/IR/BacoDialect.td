//===- BacoDialect.td - The baco dialect -------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect itself. It has attributes only: what can be chosen (domains,
// knobs), what must hold (constraints), and how a person or the annotator asks
// for a schedule (recipes).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACODIALECT_TD
#define BACO_IR_BACODIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def BacoDialect : Dialect {
  let name = "baco";
  let cppNamespace = "::baco";
  let summary = "choices, constraints and recipes for schedules to be tuned";
  let description = [{
    Attributes that turn a transform-dialect schedule into a search space, and
    recipes that turn an op into a schedule.

    These discardable attributes carry them:

    | attribute | on | value |
    |---|---|---|
    | `baco.recipe` | a payload op | `#baco.recipe`, expanded by `--baco-expand-recipes` |
    | `baco.constraints` | `transform.named_sequence` | array of `#baco.constraint` over the knobs of the sequence |
    | `baco.bind` | a transform op | dictionary from the name of an attribute of the op to the knob that sets it: a string, or `#baco.reorder` |
    | `baco.default` | `transform.tune.knob` | the value while nothing better is known |
    | `baco.weights` | `transform.tune.knob` | `array<f64>`, an expert's weight for each value |

    A schedule needs none of them: `transform.tune.knob` with an array or a
    dictionary of options tunes as it stands.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr llvm::StringLiteral kRecipe = "baco.recipe";
    static constexpr llvm::StringLiteral kConstraints = "baco.constraints";
    static constexpr llvm::StringLiteral kBind = "baco.bind";
    static constexpr llvm::StringLiteral kDefault = "baco.default";
    static constexpr llvm::StringLiteral kWeights = "baco.weights";

    void registerAttributes();
  }];
}

class Baco_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<BacoDialect, name, traits> {
  let mnemonic = attrMnemonic;
}

#endif // BACO_IR_BACODIALECT_TD
