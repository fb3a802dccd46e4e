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

#include "baco/Frontend/SpecializeShapes.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/OpenExtents.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static constexpr StringLiteral shapeExample =
    "FUNCTION:N=EXTENTS, such as f:0=512x64,1=64x64";

/// Whether versions of a function can tell more of an argument's extents.
static bool hasUnknownExtents(BlockArgument argument) {
  return isDynamic(argument) && !measuredExtents(argument);
}

bool baco::frontend::canHaveVersions(func::FuncOp function) {
  return !function.isExternal() && !isNoTune(function) &&
         llvm::any_of(function.getArguments(), hasUnknownExtents) &&
         schedule::hasOpsToTune(function);
}

/// The error says why `function` can have no versions.
static llvm::Error checkFunction(func::FuncOp function) {
  if (canHaveVersions(function))
    return llvm::Error::success();
  return llvm::createStringError(
      "function '@" + function.getName() +
      (llvm::any_of(function.getArguments(), isDynamic)
           ? "' has no op or loop nest to tune"
           : "' has no argument of dynamic shape"));
}

static llvm::Error argumentError(func::FuncOp function, const Twine &argument,
                                 const Twine &why) {
  return llvm::createStringError("argument " + argument + " of '@" +
                                 function.getName() + "': " + why);
}

/// Adds to `extents`, those in the types of the arguments, what `requested`
/// says of one of them; of extents with `?`, others may tell.
static llvm::Error takeExtents(const ArgumentExtents &requested,
                               MutableArrayRef<int64_t> extents) {
  ArrayRef<int64_t> its = requested.extents;
  std::string text = writeExtents(its);
  if (extents.empty())
    return llvm::createStringError(
        "it is neither a ranked memref nor a ranked tensor");
  if (its.size() != extents.size())
    return llvm::createStringError(
        "'" + text + "' has " + llvm::Twine(its.size()) +
        " extents, but the argument has " + llvm::Twine(extents.size()));
  for (auto [extent, own] : llvm::zip_equal(its, extents)) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (!ShapedType::isDynamic(own) && own != extent)
      return llvm::createStringError(
          "extent " + writeExtents(extent) + " in '" + text +
          "' differs from that of the argument's type, " + llvm::Twine(own));
    own = extent;
  }
  return llvm::Error::success();
}

/// A group of the option.
static llvm::Expected<RequestedShape> readShape(const ArgumentTexts &texts) {
  func::FuncOp function = texts.function;
  if (llvm::Error why = checkFunction(function))
    return std::move(why);
  Extents extents = extentsOf(function);
  RequestedShape shape;
  for (const auto &[name, text] : texts.values) {
    llvm::Expected<unsigned> argument = findArgument(function, name);
    if (!argument)
      return argument.takeError();
    if (llvm::any_of(shape, [&](const ArgumentExtents &other) {
          return other.argument == *argument;
        }))
      return argumentError(function, name, "its extents are given twice");
    auto its = readExtents(text);
    if (!its)
      return argumentError(function, name, llvm::toString(its.takeError()));
    shape.push_back({*argument, std::move(*its)});
    if (llvm::Error why = takeExtents(shape.back(), extents[*argument]))
      return argumentError(function, name, llvm::toString(std::move(why)));
  }
  return shape;
}

llvm::FailureOr<RequestedShapes>
baco::frontend::readShapeOption(ModuleOp module, StringRef text) {
  RequestedShapes requested;
  auto fail = [&](llvm::Error why) {
    return emitError(module->getLoc())
           << "shape: " << llvm::toString(std::move(why));
  };
  auto groups = readArgumentTexts(module, text, shapeExample);
  if (!groups)
    return fail(groups.takeError());
  for (ArgumentTexts &group : *groups) {
    auto shape = readShape(group);
    if (!shape)
      return fail(shape.takeError());
    requested[group.function.getName().str()].push_back(std::move(*shape));
  }
  return requested;
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

/// All extents of a version for `shape`.
static llvm::Expected<Extents> completeShape(func::FuncOp function,
                                             const RequestedShape &shape) {
  Extents extents = extentsOf(function);
  SmallVector<unsigned> given;
  for (const ArgumentExtents &its : shape) {
    // The entry of a library may be about another function.
    std::string name = std::to_string(its.argument);
    if (auto argument = findArgument(function, name); !argument)
      return argument.takeError();
    if (llvm::Error why = takeExtents(its, extents[its.argument]))
      return argumentError(function, name, llvm::toString(std::move(why)));
    given.push_back(its.argument);
  }
  llvm::Error error = deduceExtents(function, extents);
  if (!error)
    error = openExtents(function, extents, given);
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
baco::frontend::completeShapes(ModuleOp module,
                               const RequestedShapes &requested) {
  ShapesByFunction all;
  for (const auto &[name, requestedShapes] : requested) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (llvm::Error why = checkFunction(function))
      return std::move(why);
    SmallVector<Extents> &shapes = all[function];
    for (const RequestedShape &shape : requestedShapes) {
      auto extents = completeShape(function, shape);
      if (!extents)
        return extents.takeError();
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
    llvm::stable_sort(shapes, [](const Extents &left, const Extents &right) {
      return countOpenExtents(left) < countOpenExtents(right);
    });
  }
  return all;
}
