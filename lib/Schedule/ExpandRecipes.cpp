//===- ExpandRecipes.cpp - From recipes to a schedule ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame around the steps: named sequences, and how a schedule finds its op.
// The steps write themselves (lib/IR).
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExpandRecipes.h"
#include "baco/IR/RecipeExpander.h"
#include "baco/IR/RecipeState.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;

namespace {

/// Place of an op among, and number of, the ops of its name in its function.
struct Place {
  Operation *op;
  size_t place = 0;
  size_t numAlike = 0;
};

/// An op with a recipe, and what its schedule needs to find it.
struct Kernel {
  Operation *op;
  RecipeAttr recipe;
  StringRef functionName;
  /// The name of the sequence, if the op gets one of its own.
  std::string sequence;
  /// Of the op and, if the recipe is for several nests, the last of these.
  SmallVector<Place, 2> places;
  /// Whether a later op of its function has a recipe. That one is changed first
  /// and may leave any number of ops of this name behind this op.
  bool isFollowed = false;
};

/// Writes the schedule of some kernels.
class ScheduleWriter {
public:
  ScheduleWriter(ModuleOp schedule)
      : schedule(schedule), builder(OpBuilder::atBlockEnd(schedule.getBody())),
        anyOp(transform::AnyOpType::get(builder.getContext())) {}

  LogicalResult write(ArrayRef<Kernel> kernels);

private:
  transform::NamedSequenceOp startSequence(Location loc, StringRef name);
  LogicalResult writeKernel(const Kernel &kernel,
                            transform::NamedSequenceOp sequence);
  mlir::Value matchFunction(const Kernel &kernel, mlir::Value root);
  mlir::Value matchByPlace(const Place &place, bool isFollowed,
                           mlir::Value function);
  mlir::Value matchTarget(const Kernel &kernel, mlir::Value function);
  void include(const Kernel &kernel, mlir::Value root);

  ModuleOp schedule;
  OpBuilder builder;
  Type anyOp;
};

} // namespace

/// A name like `wanted` that is not in `taken` yet; adds it.
static std::string makeUnique(const std::string &wanted,
                              llvm::StringSet<> &taken) {
  std::string name = wanted;
  for (unsigned suffix = 1; !taken.insert(name).second; ++suffix)
    name = wanted + "_" + std::to_string(suffix);
  return name;
}

/// Finds where `op` stands among the ops of its name. The order is that of
/// `transform.structured.match`.
static Place locate(Operation *op, func::FuncOp function) {
  Place place{op};
  function->walk([&](Operation *other) {
    if (other->getName() != op->getName())
      return;
    if (other == op)
      place.place = place.numAlike;
    ++place.numAlike;
  });
  return place;
}

static FailureOr<SmallVector<Kernel>> collectKernels(ModuleOp payload) {
  llvm::StringSet<> taken;
  for (auto symbol : payload.getOps<SymbolOpInterface>())
    taken.insert(symbol.getName());

  SmallVector<Kernel> kernels;
  WalkResult result = payload->walk([&](Operation *op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    if (!recipe)
      return WalkResult::advance();
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function || function->getParentOp() != payload) {
      op->emitOpError() << "has a recipe, but is not in a func.func of the "
                           "outermost module, where a schedule could find it";
      return WalkResult::interrupt();
    }
    StringRef name = function.getSymName();
    Kernel kernel{op,
                  recipe,
                  name,
                  makeUnique("schedule_" + name.str(), taken),
                  {locate(op, function)}};
    // That there is none is an error which the expander reports.
    Operation *last = RecipeState(op, recipe).lastNest();
    if (last && last != op)
      kernel.places.push_back(locate(last, function));
    kernels.push_back(kernel);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // In the order of the payload, so that a function's kernels are neighbours.
  for (size_t i = 1; i < kernels.size(); ++i) {
    kernels[i - 1].isFollowed =
        kernels[i - 1].functionName == kernels[i].functionName;
    // Recipes are followed from the last to the first.
    if (kernels[i - 1].isFollowed &&
        llvm::any_of(kernels[i].recipe.getSteps(),
                     llvm::IsaPred<BufferizeAttr>)) {
      InFlightDiagnostic diag =
          kernels[i].op->emitOpError()
          << "bufferizes the function, but another op has to follow its recipe "
             "after that; leave 'bufferize' to the recipe of the first op";
      diag.attachNote(kernels[i - 1].op->getLoc()) << "the other op is here";
      return diag;
    }
  }
  return kernels;
}

LogicalResult ScheduleWriter::write(ArrayRef<Kernel> kernels) {
  StringRef mainName =
      transform::TransformDialect::kTransformEntryPointSymbolName;
  if (kernels.size() == 1)
    return writeKernel(kernels[0],
                       startSequence(kernels[0].op->getLoc(), mainName));
  for (const Kernel &kernel : kernels)
    if (failed(writeKernel(
            kernel, startSequence(kernel.op->getLoc(), kernel.sequence))))
      return failure();
  transform::NamedSequenceOp main = startSequence(schedule.getLoc(), mainName);
  mlir::Value root = main.getBody().getArgument(0);
  // The last first: the ops before it keep their places.
  for (const Kernel &kernel : llvm::reverse(kernels))
    include(kernel, root);
  transform::YieldOp::create(builder, schedule.getLoc());
  return success();
}

/// Leaves the builder in the empty body of the new sequence.
transform::NamedSequenceOp ScheduleWriter::startSequence(Location loc,
                                                         StringRef name) {
  builder.setInsertionPointToEnd(schedule.getBody());
  auto sequence = transform::NamedSequenceOp::create(
      builder, loc, name, anyOp, TypeRange(),
      [](OpBuilder &, Location, BlockArgument) {});
  sequence.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                      builder.getUnitAttr());
  builder.setInsertionPointToEnd(&sequence.getBody().front());
  return sequence;
}

LogicalResult ScheduleWriter::writeKernel(const Kernel &kernel,
                                          transform::NamedSequenceOp sequence) {
  mlir::Value function =
      matchFunction(kernel, sequence.getBody().getArgument(0));
  mlir::Value target = matchTarget(kernel, function);
  RecipeExpander expander(builder, kernel.op, kernel.recipe, kernel.sequence,
                          function, target);
  if (failed(expander.run()))
    return failure();
  transform::YieldOp::create(builder, kernel.op->getLoc());

  SmallVector<Attribute> constraints(expander.getConstraints());
  if (!constraints.empty())
    sequence->setDiscardableAttr(BacoDialect::kConstraints,
                                 builder.getArrayAttr(constraints));
  return success();
}

mlir::Value ScheduleWriter::matchFunction(const Kernel &kernel,
                                          mlir::Value root) {
  NamedAttribute name =
      builder.getNamedAttr(SymbolTable::getSymbolAttrName(),
                           builder.getStringAttr(kernel.functionName));
  return transform::MatchOp::create(
      builder, kernel.op->getLoc(), anyOp, root,
      builder.getStrArrayAttr({func::FuncOp::getOperationName()}),
      /*interface=*/transform::MatchInterfaceEnumAttr(),
      builder.getDictionaryAttr(name), /*filter_result_type=*/TypeAttr(),
      /*filter_operand_types=*/ArrayAttr());
}

/// A handle to the op at `place`.
mlir::Value ScheduleWriter::matchByPlace(const Place &place, bool isFollowed,
                                         mlir::Value function) {
  Location loc = place.op->getLoc();
  mlir::Value all = transform::MatchOp::create(
      builder, loc, function,
      ArrayRef<StringRef>(place.op->getName().getStringRef()));
  if (!isFollowed && place.numAlike == 1)
    return all;
  size_t numResults = place.numAlike;
  if (isFollowed) {
    // The last result is for all ops behind this one. The function stands in
    // for the case of none, because upstream crashes on too few with overflow.
    all = transform::MergeHandlesOp::create(
        builder, loc, ValueRange{all, function}, /*deduplicate=*/false);
    numResults = place.place + 2;
  }
  auto split = transform::SplitHandleOp::create(builder, loc, all, numResults);
  if (isFollowed)
    split.setOverflowResult(place.place + 1);
  return split.getResult(place.place);
}

/// A handle to the op of `kernel`, or to the first and the last of its nests.
mlir::Value ScheduleWriter::matchTarget(const Kernel &kernel,
                                        mlir::Value function) {
  SmallVector<mlir::Value> targets;
  for (const Place &place : kernel.places)
    targets.push_back(matchByPlace(place, kernel.isFollowed, function));
  if (targets.size() == 1)
    return targets[0];
  return transform::MergeHandlesOp::create(builder, kernel.op->getLoc(),
                                           targets, /*deduplicate=*/false);
}

void ScheduleWriter::include(const Kernel &kernel, mlir::Value root) {
  transform::IncludeOp::create(
      builder, kernel.op->getLoc(), TypeRange(),
      SymbolRefAttr::get(builder.getContext(), kernel.sequence),
      transform::FailurePropagationMode::Propagate, ValueRange(root),
      /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
}

FailureOr<OwningOpRef<ModuleOp>>
baco::schedule::expandRecipes(ModuleOp payload) {
  FailureOr<SmallVector<Kernel>> kernels = collectKernels(payload);
  if (failed(kernels))
    return failure();
  OwningOpRef<ModuleOp> schedule = ModuleOp::create(payload.getLoc());
  if (kernels->empty())
    return schedule;

  StringRef mainName =
      transform::TransformDialect::kTransformEntryPointSymbolName;
  if (Operation *existing = SymbolTable::lookupSymbolIn(payload, mainName)) {
    InFlightDiagnostic diag = kernels->front().op->emitOpError()
                              << "has a recipe, but the module already has a "
                                 "schedule; remove one of them";
    diag.attachNote(existing->getLoc()) << "the schedule is here";
    return diag;
  }
  payload.getContext()->getOrLoadDialect<::mlir::smt::SMTDialect>();
  payload.getContext()->getOrLoadDialect<transform::TransformDialect>();
  (*schedule)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                       UnitAttr::get(payload.getContext()));
  ScheduleWriter writer(*schedule);
  if (failed(writer.write(*kernels)))
    return failure();
  return schedule;
}

void baco::schedule::removeRecipes(ModuleOp payload) {
  payload->walk(
      [](Operation *op) { op->removeDiscardableAttr(BacoDialect::kRecipe); });
}
