//===- SetInputs.cpp - Values of arguments --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option becomes attributes, with which all that follows is the same as for
// attributes of the module's own.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/SetInputs.h"
#include "ArgumentText.h"
#include "InputFiles.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/SparseEncoding.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static constexpr StringLiteral inputExample =
    "FUNCTION:N=VALUE, such as f:0=512";

//===----------------------------------------------------------------------===//
// The option's text
//===----------------------------------------------------------------------===//

/// An integer of 64 bits, or another finite number; null if `text` is neither.
static Attribute readNumber(Builder &builder, StringRef text) {
  int64_t integer;
  double number;
  text = text.trim();
  if (!text.getAsInteger(10, integer))
    return builder.getI64IntegerAttr(integer);
  if (!text.getAsDouble(number) && std::isfinite(number))
    return builder.getF64FloatAttr(number);
  return {};
}

/// `uniform(0.5, 2, seed=1)` as a dictionary; null if `text` isn't like that.
static Attribute readDistribution(Builder &builder, StringRef text) {
  auto [name, rest] = text.split('(');
  if (!rest.consume_back(")"))
    return {};
  SmallVector<Attribute> numbers;
  NamedAttrList entries;
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  for (StringRef part : parts) {
    bool isSeed = part.trim().consume_front("seed") && part.contains('=');
    Attribute number =
        readNumber(builder, isSeed ? part.split('=').second : part);
    if (!number || (isSeed && entries.get("seed")))
      return {};
    if (isSeed)
      entries.set("seed", number);
    else
      numbers.push_back(number);
  }
  bool isOne = name.trim() == "below" && numbers.size() == 1;
  entries.set(name.trim(),
              isOne ? numbers.front() : builder.getArrayAttr(numbers));
  return entries.getDictionary(builder.getContext());
}

/// `text` as the `baco.input` of an argument of `type`; null if it has no
/// meaning.
static Attribute readInput(Type type, StringRef text) {
  Builder builder(type.getContext());
  if (Attribute number = readNumber(builder, text))
    return number;
  if (text.contains('('))
    return readDistribution(builder, text);
  auto [from, to] = text.split("..");
  Attribute least = readNumber(builder, from),
            greatest = readNumber(builder, to);
  if (!least || !greatest)
    return {};
  auto first = dyn_cast<mlir::IntegerAttr>(least),
       last = dyn_cast<mlir::IntegerAttr>(greatest);
  if (!getElementTypeOrSelf(type).isIntOrIndex())
    return builder.getDictionaryAttr(builder.getNamedAttr(
        "uniform", builder.getArrayAttr({least, greatest})));
  if (!first || !last || first.getInt() > last.getInt())
    return {};
  return IntegerRangeAttr::get(type.getContext(), first.getInt(), last.getInt(),
                               /*step=*/1, /*log=*/false);
}

/// The `baco.input` of an argument of `type` that `text` says.
static llvm::Expected<Attribute> parseInput(Type type, StringRef text) {
  StringRef contents = text;
  bool isFile = contents.consume_front("@");
  if (isFile || (encodingOf(type) && text.ends_with(')')))
    return readContents(type, contents, /*folder=*/"");
  if (encodingOf(type))
    return llvm::createStringError(
        "a sparse tensor has the entries of a file or of a generator; write "
        "@FILE.mtx, or a generator such as rmat(scale=12, degree=8)");
  Attribute input = readInput(type, text);
  if (!input)
    return llvm::createStringError(
        "write a number, a range such as 0..99, a distribution such as "
        "uniform(0, 99), normal(0, 1) or below(100), or @FILE");
  if (llvm::Error error = checkInput(type, input))
    return error;
  return input;
}

static llvm::Error setInput(func::FuncOp function, StringRef name,
                            StringRef text) {
  llvm::Expected<unsigned> argument = findArgument(function, name);
  if (!argument)
    return argument.takeError();
  Type type = function.getArgument(*argument).getType();
  if (text.trim() == "constant" && isa<MemRefType, RankedTensorType>(type)) {
    function.setArgAttr(*argument, kConstantArgument,
                        UnitAttr::get(function.getContext()));
    return llvm::Error::success();
  }
  llvm::Expected<Attribute> input = parseInput(type, text);
  if (!input)
    return llvm::createStringError("argument " + name + " of '@" +
                                   function.getName() + "' can't be '" + text +
                                   "': " + llvm::toString(input.takeError()));
  function.setArgAttr(*argument, BacoDialect::kInput, *input);
  return llvm::Error::success();
}

/// Sets the attributes that `inputs` says.
static llvm::Error setOption(ModuleOp module, StringRef inputs) {
  auto groups = readArgumentTexts(module, inputs, inputExample);
  if (!groups)
    return groups.takeError();
  for (const ArgumentTexts &group : *groups)
    for (const auto &[name, text] : group.values)
      if (llvm::Error failed = setInput(group.function, name, text))
        return failed;
  return llvm::Error::success();
}

LogicalResult baco::frontend::setInputs(ModuleOp module, StringRef inputs) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  forgetHashes(module);
  if (llvm::Error error = setOption(module, inputs))
    return emitError(module->getLoc())
           << "arg: " << llvm::toString(std::move(error));
  return readInputFiles(module);
}

void baco::frontend::removeInputs(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    removeInputs(function);
}

void baco::frontend::removeInputs(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.removeArgAttr(i, BacoDialect::kInput);
}
