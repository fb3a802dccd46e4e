//===- ShapeOption.cpp - The option --shape -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeOption.h"
#include "ArgumentText.h"
#include "InputFiles.h"
#include "ShapeVersions.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static constexpr StringLiteral example =
    "FUNCTION:N=EXTENTS, such as f:0=512x64,1=64x64";

/// Reads `512x?x64?` into `extents`, which have the static ones; `?` alone, of
/// which other extents may tell, stays unknown.
static llvm::Error readExtents(StringRef text,
                               MutableArrayRef<int64_t> extents) {
  constexpr int64_t largest = INT32_MAX;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  if (parts.size() != extents.size())
    return llvm::createStringError(
        "'" + text + "' has " + llvm::Twine(parts.size()) +
        " extents, but the argument has " + llvm::Twine(extents.size()));
  for (auto [part, extent] : llvm::zip_equal(parts, extents)) {
    if (part == "?")
      continue;
    int64_t number;
    StringRef digits = part;
    bool isOpen = digits.consume_back("?");
    if (digits.getAsInteger(10, number) || number < 1 || number > largest)
      return llvm::createStringError("extent '" + part + "' in '" + text +
                                     "' must be ?, or an integer from 1 to " +
                                     llvm::Twine(largest) +
                                     " that may end with ?");
    if (!ShapedType::isDynamic(extent) && (isOpen || extent != number))
      return llvm::createStringError(
          "extent " + part + " in '" + text +
          "' differs from that of the argument's type, " + llvm::Twine(extent));
    extent = isOpen ? openExtent(number) : number;
  }
  return llvm::Error::success();
}

llvm::Expected<std::string>
baco::frontend::proposeShapeOption(func::FuncOp function, Extents extents) {
  {
    // Errors in files are reported where the files are read.
    ScopedDiagnosticHandler silence(function.getContext(),
                                    [](Diagnostic &) { return success(); });
    (void)takeFileExtents(function, extents);
  }
  // The usual extents of vectors, or beside short ones, give too little to do.
  llvm::Error error = llvm::Error::success();
  for (int64_t scale : {1, 16, 256}) {
    llvm::consumeError(std::move(error));
    Extents example = exampleExtents(function, extents, scale);
    auto kernel = makeKernel(function, example, function);
    if (kernel) {
      kernel->erase();
      return writeOption(function, example);
    }
    error = kernel.takeError();
  }
  return std::move(error);
}

/// Lets the extents of the arguments `asked` that are still unknown stay
/// dynamic, measured as in examples; two that don't follow from each other
/// aren't alike.
static llvm::Error openExtents(func::FuncOp function, Extents &extents,
                               ArrayRef<unsigned> asked) {
  constexpr int64_t step = 8;
  auto isTaken = [&](int64_t measured) {
    return llvm::any_of(extents, [&](ArrayRef<int64_t> its) {
      return llvm::is_contained(its, openExtent(measured));
    });
  };
  for (unsigned argument : asked)
    for (size_t dim = 0; dim < extents[argument].size(); ++dim) {
      if (!ShapedType::isDynamic(extents[argument][dim]))
        continue;
      Extents example = exampleExtents(function, extents, /*scale=*/1);
      int64_t measured = measuredExtent(example[argument][dim]);
      while (measured > step && isTaken(measured))
        measured -= step;
      extents[argument][dim] = openExtent(measured);
      if (llvm::Error error = deduceExtents(function, extents))
        return error;
    }
  return llvm::Error::success();
}

/// The extents that a group of the option says.
static llvm::Expected<Extents> readShape(const ArgumentTexts &texts) {
  func::FuncOp function = texts.function;
  Extents extents = extentsOf(function);
  llvm::SmallSetVector<unsigned, 4> given;
  for (const auto &[name, text] : texts.values) {
    llvm::Expected<unsigned> argument = findArgument(function, name);
    if (!argument)
      return argument.takeError();
    std::string message;
    if (extents[*argument].empty())
      message = "it is neither a ranked memref nor a ranked tensor";
    else if (!given.insert(*argument))
      message = "its extents are given twice";
    else if (llvm::Error error = readExtents(text, extents[*argument]))
      message = llvm::toString(std::move(error));
    if (!message.empty())
      return llvm::createStringError("argument " + name + " of '@" +
                                     function.getName() + "': " + message);
  }
  llvm::Error error = deduceExtents(function, extents);
  if (!error)
    error = openExtents(function, extents, given.getArrayRef());
  if (error)
    return llvm::createStringError(writeOption(function, extents) + ": " +
                                   llvm::toString(std::move(error)));
  if (!areKnown(extents)) {
    auto all = proposeShapeOption(function, extents);
    return llvm::createStringError(
        "extents are missing, see ? in " + writeOption(function, extents) +
        (all ? "; give all, such as " + *all
             : "; " + llvm::toString(all.takeError())));
  }
  constexpr int64_t maxElements = int64_t(1) << 40;
  if (sizeOf(extents) > maxElements)
    return llvm::createStringError(writeOption(function, extents) +
                                   ": the arguments have more than 2^40 "
                                   "elements");
  return extents;
}

/// Whether two shapes differ only by what open extents are in trials.
static bool haveSameTypes(const Extents &left, const Extents &right) {
  return llvm::equal(left, right, [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    return llvm::equal(a, b, [](int64_t one, int64_t other) {
      return one == other || (isOpenExtent(one) && isOpenExtent(other));
    });
  });
}

llvm::Expected<ShapesByFunction>
baco::frontend::readShapeOption(ModuleOp module, StringRef text,
                                ArrayRef<func::FuncOp> candidates) {
  ShapesByFunction requested;
  auto groups = readArgumentTexts(module, text, example);
  if (!groups)
    return groups.takeError();
  for (const ArgumentTexts &group : *groups) {
    func::FuncOp function = group.function;
    if (!llvm::is_contained(candidates, function))
      return llvm::createStringError(
          "function '@" + function.getName() +
          (llvm::any_of(function.getArguments(), isDynamic)
               ? "' has no op or loop nest to tune"
               : "' has no argument of dynamic shape"));
    auto extents = readShape(group);
    if (!extents)
      return extents.takeError();
    SmallVector<Extents> &shapes = requested[function];
    if (llvm::is_contained(shapes, *extents))
      continue;
    if (llvm::any_of(shapes, [&](const Extents &other) {
          return haveSameTypes(*extents, other);
        }))
      return llvm::createStringError(
          writeOption(function, *extents) +
          ": an earlier shape has the same extents open, and would be called "
          "for all of this one's");
    shapes.push_back(std::move(*extents));
  }
  // The first version that fits is called: those for fewer shapes come first.
  for (auto &[function, shapes] : requested)
    llvm::stable_sort(shapes, [](const Extents &left, const Extents &right) {
      return countOpenExtents(left) < countOpenExtents(right);
    });
  return requested;
}
