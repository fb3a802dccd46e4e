//===- BacoLoopCommands.td - Commands on loop nests --------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One attribute for all commands of `transform.baco.restructure`. Which there
// are, with which arguments, stands in lib/Polyhedral/LoopCommandTable.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOLOOPCOMMANDS_TD
#define BACO_IR_BACOLOOPCOMMANDS_TD

include "baco/IR/BacoSparseSteps.td"

def LoopCommandAttr : AttrDef<BacoDialect, "LoopCommand"> {
  let attrName = "baco.loop_command";
  let summary = "a command on a loop nest";
  let description = [{
    Each command has a mnemonic of its own, such as `loop_tile`, and arguments
    by name; [LoopCommands.md](LoopCommands.md) lists them. An argument is a
    constant, a knob (in a recipe), or the name of a knob (in an op). Statements
    are counted from 0 in the order of the program, loops around a statement from
    1, outermost first.

    Example: `#baco.loop_tile<statement = 0, loop = 2, size = "TJ">`.
    Verified: arguments that aren't optional are there; numbers are integers in
    the range of the table; orders are permutations; the domain of a knob holds
    such values.
  }];
  let parameters = (ins
    "::baco::polyhedral::LoopCommandKind":$kind,
    ArrayRefParameter<"::mlir::Attribute",
                      "in the order of the table; unit if absent">:$arguments);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    const polyhedral::LoopCommandInfo &getInfo() const {
      return polyhedral::infoOf(getKind());
    }
    /// Reads `<name = value, ...>`; null after an error.
    static ::mlir::Attribute parse(::mlir::AsmParser &parser,
                                   const polyhedral::LoopCommandInfo &info);
    void print(::mlir::AsmPrinter &printer) const;
  }];
}

#endif // BACO_IR_BACOLOOPCOMMANDS_TD
