//===- SetInputs.cpp - Values of arguments --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Intake/SetInputs.h"
#include "ArgumentText.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::intake;

static constexpr StringLiteral example = "FUNCTION:N=VALUE, such as f:0=512";

/// `text` as the `baco.input` of an argument of `type`; null if it is neither a
/// number nor a range.
static Attribute readInput(Type type, StringRef text) {
  Builder builder(type.getContext());
  int64_t least, greatest;
  if (!text.getAsInteger(10, least))
    return builder.getI64IntegerAttr(least);
  auto [from, to] = text.split("..");
  if (from.getAsInteger(10, least) || to.getAsInteger(10, greatest) ||
      least > greatest)
    return {};
  return IntegerRangeAttr::get(type.getContext(), least, greatest, /*step=*/1,
                               /*log=*/false);
}

static llvm::Error setInput(func::FuncOp function, StringRef name,
                            StringRef text) {
  llvm::Expected<unsigned> argument = findArgument(function, name);
  if (!argument)
    return argument.takeError();
  Type type = function.getArgument(*argument).getType();
  Attribute input = readInput(type, text);
  std::string why = input ? whyNoInput(type, input)
                          : "write an integer, or a range such as 0..99, whose "
                            "ends are integers of 64 bits";
  if (!why.empty())
    return llvm::createStringError("argument " + name + " of '@" +
                                   function.getName() + "' can't be '" + text +
                                   "': " + why);
  function.setArgAttr(*argument, BacoDialect::kInput, input);
  return llvm::Error::success();
}

LogicalResult baco::intake::setInputs(ModuleOp module, StringRef inputs) {
  if (inputs.empty())
    return success();
  module.getContext()->getOrLoadDialect<BacoDialect>();
  auto error = [&](llvm::Error error) {
    return module.emitError() << "arg: " << llvm::toString(std::move(error));
  };
  auto groups = parseArgumentTexts(inputs, example);
  if (!groups)
    return error(groups.takeError());
  for (const ArgumentTexts &group : *groups) {
    auto function = findFunction(module, group.function);
    if (!function)
      return error(function.takeError());
    for (const auto &[name, text] : group.values)
      if (llvm::Error failed = setInput(*function, name, text))
        return error(std::move(failed));
  }
  return success();
}
