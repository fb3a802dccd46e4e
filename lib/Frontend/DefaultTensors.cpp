//===- DefaultTensors.cpp - Entries that nobody has given -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputFiles.h"

#include "baco/Frontend/SetInputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Sparse/TensorSource.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

/// The function that the user knows: the one that a version is made of, which
/// calls it.
static func::FuncOp knownFunction(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  if (function.isPrivate())
    if (auto uses = SymbolTable::getSymbolUses(function, module))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (auto caller = use.getUser()->getParentOfType<func::FuncOp>();
            caller && isNoTune(caller) &&
            caller.getNumArguments() == function.getNumArguments())
          return caller;
  return function;
}

LogicalResult baco::frontend::setDefaultTensors(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || isNoTune(function) ||
        !schedule::hasOpsToTune(function))
      continue;
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      // Complex numbers can't be given, nor an extent of 0; the plan says so of
      // the op.
      if (!type || !encodingOf(type) || !type.hasStaticShape() ||
          llvm::is_contained(type.getShape(), 0) ||
          isa<ComplexType>(type.getElementType()) ||
          function.getArgAttr(number, BacoDialect::kInput))
        continue;
      std::string text = sparse::makeUpSource(type.getShape());
      llvm::Expected<DictionaryAttr> input =
          readContents(type, text, /*folder=*/"");
      if (!input)
        return function.emitError()
               << "argument " << number << " can't be '" << text
               << "': " << llvm::toString(input.takeError());
      function.setArgAttr(number, BacoDialect::kInput, *input);
      func::FuncOp known = knownFunction(function);
      known.emitRemark() << "the entries of argument " << number
                         << " are made up by " << text
                         << "; give them by --arg=" << known.getName() << ":"
                         << number << "=@FILE";
    }
  }
  return success();
}
