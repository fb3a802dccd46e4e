//===- ExpandRecipes.cpp - From recipes to a schedule ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame around the steps: named sequences, and how a schedule finds its op.
// The steps write themselves (lib/Recipe).
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExpandRecipes.h"

#include "CacheRules.h"
#include "CleanUp.h"
#include "baco/Analysis/BufferedProducers.h"
#include "baco/IR/Bufferization.h"
#include "baco/IR/Structured.h"
#include "baco/Recipe/RecipeAnalysis.h"
#include "baco/Recipe/RecipeExpander.h"
#include "baco/Recipe/WriteBufferization.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-expand-recipes"

using namespace mlir;
using namespace baco;
using baco::schedule::CleanUp;

static const StringRef mainName =
    transform::TransformDialect::kTransformEntryPointSymbolName;

namespace {

/// Place of an op among, and number of, the ops of its name in its function.
struct Place {
  Operation *op;
  size_t place = 0;
  size_t numAlike = 0;
};

/// An op with a recipe, and the data by which its schedule finds it.
struct Kernel {
  Operation *op;
  RecipeAttr recipe;
  StringRef functionName;
  /// The name of the sequence, if the op gets one of its own.
  std::string sequence;
  /// The place of the op and, if the recipe is for several nests, that of the
  /// last one.
  SmallVector<Place, 2> places;
  /// Whether a later op of its function has a recipe. That one is changed first
  /// and may leave any number of ops of this name behind this op.
  bool isFollowed = false;
  /// Whether a recipe of its function begins with `bufferize`: its places are
  /// marked before, and found by that after.
  bool isMarked = false;

  /// Whether the module then changes, and with it its handle.
  bool changesModule() const {
    return isMarked && hasTensorBoundary(op->getParentOfType<func::FuncOp>());
  }
  /// The mark of `places[index]`.
  std::string mark(size_t index) const {
    return sequence + (index == 0 ? "_op" : "_last_op");
  }
};

/// Writes the schedule of some kernels.
class ScheduleWriter {
public:
  ScheduleWriter(ModuleOp schedule)
      : schedule(schedule), builder(OpBuilder::atBlockEnd(schedule.getBody())),
        anyOp(transform::AnyOpType::get(builder.getContext())) {}

  LogicalResult write(ArrayRef<Kernel> kernels);

private:
  transform::NamedSequenceOp startSequence(Location loc, StringRef name,
                                           bool yieldsRoot);
  FailureOr<CleanUp> writeKernel(const Kernel &kernel, mlir::Value root);
  mlir::Value bufferizeFirst(ArrayRef<Kernel> kernels, mlir::Value root);
  mlir::Value matchFunction(const Kernel &kernel, mlir::Value root);
  mlir::Value matchByPlace(const Place &place, bool isFollowed,
                           mlir::Value function);
  mlir::Value matchTarget(const Kernel &kernel, mlir::Value function);
  void includeAll(ArrayRef<Kernel> kernels, MutableArrayRef<CleanUp> cleanUps,
                  mlir::Value root);

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

/// Finds the position of `op` among the ops of its name. The order is that of
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

/// Lets `kernels`, of one function, be found without ops before them that the
/// kernels of later ops, which are made first, have as their parts.
static void skipFused(MutableArrayRef<Kernel> kernels) {
  for (size_t last = kernels.size(); last-- > 1;) {
    auto head = dyn_cast<linalg::LinalgOp>(kernels[last].op);
    if (!head)
      continue;
    SmallVector<linalg::LinalgOp> fused =
        listFusedProducers(head, kernels[last].recipe);
    for (Kernel &kernel : kernels.take_front(last))
      for (Place &place : kernel.places)
        place.place -= llvm::count_if(fused, [&](Operation *op) {
          return op->getName() == place.op->getName() &&
                 op->getBlock() == place.op->getBlock() &&
                 op->isBeforeInBlock(place.op);
        });
  }
}

/// Checks the recipes of one function against each other, and fills in the
/// dependent fields.
static LogicalResult relate(MutableArrayRef<Kernel> kernels) {
  for (Kernel &kernel : kernels.drop_back())
    kernel.isFollowed = true;
  skipFused(kernels);
  auto refuse = [&](const Kernel &kernel, const Kernel &other,
                    const Twine &why) {
    InFlightDiagnostic diag = kernel.op->emitOpError() << why;
    diag.attachNote(other.op->getLoc()) << "the other op is here";
    return diag;
  };
  Kernel *first = llvm::find_if(kernels, [](const Kernel &kernel) {
    return kernel.recipe.startsOnMemRefs();
  });
  bool areMarked = first != kernels.end();
  for (Kernel &kernel : kernels) {
    kernel.isMarked = areMarked;
    if (areMarked && isOnTensors(kernel.op) && !kernel.recipe.startsOnMemRefs())
      return refuse(kernel, *first,
                    "has a recipe for tensors, but the recipe of another op of "
                    "the function begins with 'bufferize'; begin this one with "
                    "'bufferize', too");
    if (areMarked ||
        llvm::none_of(kernel.recipe.getSteps(), llvm::IsaPred<BufferizeAttr>))
      continue;
    // Recipes are followed from the last to the first.
    if (&kernel != kernels.begin())
      return refuse(kernel, *std::prev(&kernel),
                    "bufferizes the function before the recipe of another op "
                    "is applied; put 'bufferize' into the recipe of the first "
                    "op only, or begin all recipes with it");
    if (hasTensorBoundary(kernel.op->getParentOfType<func::FuncOp>()))
      return kernel.op->emitOpError()
             << "bufferizes the function, which takes or returns tensors; "
                "begin "
                "the recipe with 'bufferize', or leave it out";
  }
  return success();
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
                           "outermost module, so that a schedule can't find it";
      return WalkResult::interrupt();
    }
    StringRef name = function.getSymName();
    Kernel kernel{op,
                  recipe,
                  name,
                  makeUnique("schedule_" + name.str(), taken),
                  {locate(op, function)}};
    // If there is none, the expander reports an error.
    Operation *last = RecipeAnalysis(op, recipe).lastNest();
    if (last && last != op)
      kernel.places.push_back(locate(last, function));
    kernels.push_back(kernel);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // In the order of the payload, so that a function's kernels are neighbors.
  for (MutableArrayRef<Kernel> left = kernels; !left.empty();) {
    size_t count = 1;
    while (count < left.size() &&
           left[count].functionName == left.front().functionName)
      ++count;
    if (failed(relate(left.take_front(count))))
      return failure();
    left = left.drop_front(count);
  }
  return kernels;
}

LogicalResult ScheduleWriter::write(ArrayRef<Kernel> kernels) {
  bool changesModule = llvm::any_of(
      kernels, [](const Kernel &kernel) { return kernel.changesModule(); });
  SmallVector<CleanUp, 0> cleanUps;
  if (kernels.size() > 1) {
    for (const Kernel &kernel : kernels) {
      auto sequence = startSequence(kernel.op->getLoc(), kernel.sequence,
                                    /*yieldsRoot=*/false);
      auto cleanUp = writeKernel(kernel, sequence.getBody().getArgument(0));
      if (failed(cleanUp))
        return failure();
      cleanUps.push_back(std::move(*cleanUp));
      transform::YieldOp::create(builder, kernel.op->getLoc());
    }
  }
  Location loc =
      kernels.size() > 1 ? schedule.getLoc() : kernels[0].op->getLoc();
  auto main = startSequence(loc, mainName, changesModule);
  mlir::Value root = bufferizeFirst(kernels, main.getBody().getArgument(0));
  if (kernels.size() == 1 && failed(writeKernel(kernels[0], root)))
    return failure();
  if (kernels.size() > 1)
    includeAll(kernels, cleanUps, root);
  // Callers that continue after this sequence need the new module.
  transform::YieldOp::create(builder, loc,
                             changesModule ? ValueRange(root) : ValueRange());
  return success();
}

/// Whether a mark of `op` is there after bufferization. Upstream drops the
/// attributes of a softmax, which is found by its place then, too.
static bool keepsMark(Operation *op) { return !isa<linalg::SoftmaxOp>(op); }

/// Bufferizes functions whose recipes begin with `bufferize`, and marks their
/// ops. Returns `root`, or the handle that replaces it.
mlir::Value ScheduleWriter::bufferizeFirst(ArrayRef<Kernel> kernels,
                                           mlir::Value root) {
  StringRef previous;
  for (const Kernel &kernel : kernels) {
    if (!kernel.isMarked || kernel.functionName == previous)
      continue;
    previous = kernel.functionName;
    Location loc = kernel.op->getLoc();
    mlir::Value function = matchFunction(kernel, root);
    for (const Kernel &other : kernels) {
      if (other.functionName != kernel.functionName)
        continue;
      for (auto [index, place] : llvm::enumerate(other.places))
        if (keepsMark(place.op))
          transform::AnnotateOp::create(
              builder, loc, matchByPlace(place, /*isFollowed=*/false, function),
              builder.getStringAttr(other.mark(index)),
              /*param=*/mlir::Value());
    }
    mlir::Value bufferized =
        writeBufferization(builder, loc, function, kernel.op);
    if (kernel.changesModule())
      root = transform::GetParentOp::create(
          builder, loc, anyOp, bufferized, /*isolated_from_above=*/false,
          /*allow_empty_results=*/false,
          builder.getStringAttr(ModuleOp::getOperationName()),
          /*deduplicate=*/false, /*nth_parent=*/1);
  }
  return root;
}

/// Leaves the builder in the empty body of the new sequence.
transform::NamedSequenceOp
ScheduleWriter::startSequence(Location loc, StringRef name, bool yieldsRoot) {
  builder.setInsertionPointToEnd(schedule.getBody());
  auto sequence = transform::NamedSequenceOp::create(
      builder, loc, name, anyOp, yieldsRoot ? TypeRange(anyOp) : TypeRange(),
      [](OpBuilder &, Location, BlockArgument) {});
  sequence.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                      builder.getUnitAttr());
  builder.setInsertionPointToEnd(&sequence.getBody().front());
  return sequence;
}

/// After the existing ops of the sequence.
FailureOr<CleanUp> ScheduleWriter::writeKernel(const Kernel &kernel,
                                               mlir::Value root) {
  mlir::Value function = matchFunction(kernel, root);
  mlir::Value target = matchTarget(kernel, function);
  RecipeExpander expander(builder, kernel.op, kernel.recipe, kernel.sequence,
                          function, target);
  if (failed(expander.run()))
    return failure();
  SmallVector<Attribute> constraints(expander.getConstraints());
  if (!constraints.empty())
    builder.getInsertionBlock()->getParentOp()->setDiscardableAttr(
        BacoDialect::kConstraints, builder.getArrayAttr(constraints));
  return CleanUp(target.getDefiningOp(), {function, expander.function});
}

mlir::Value ScheduleWriter::matchFunction(const Kernel &kernel,
                                          mlir::Value root) {
  return baco::matchFunction(builder, kernel.op->getLoc(), root,
                             builder.getStringAttr(kernel.functionName));
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
  for (auto [index, place] : llvm::enumerate(kernel.places))
    targets.push_back(kernel.isMarked && keepsMark(place.op)
                          ? matchMarked(builder, kernel.op->getLoc(), function,
                                        kernel.mark(index))
                          : matchByPlace(place, kernel.isFollowed, function));
  if (targets.size() == 1)
    return targets[0];
  return transform::MergeHandlesOp::create(builder, kernel.op->getLoc(),
                                           targets, /*deduplicate=*/false);
}

/// How many of the last kernels are of one function and have the same clean-up
/// or none.
static size_t countAlike(ArrayRef<Kernel> kernels, ArrayRef<CleanUp> cleanUps) {
  const CleanUp *common = nullptr;
  size_t count = 0;
  for (; count < kernels.size(); ++count) {
    size_t i = kernels.size() - 1 - count;
    if (kernels[i].functionName != kernels.back().functionName)
      break;
    if (cleanUps[i].isEmpty())
      continue;
    if (common && !common->isLike(cleanUps[i]))
      break;
    common = &cleanUps[i];
  }
  return count;
}

/// The last kernel first: the ops before it keep their places. Clean-ups that
/// are alike become one.
void ScheduleWriter::includeAll(ArrayRef<Kernel> kernels,
                                MutableArrayRef<CleanUp> cleanUps,
                                mlir::Value root) {
  while (!kernels.empty()) {
    size_t count = countAlike(kernels, cleanUps);
    for (const Kernel &kernel : llvm::reverse(kernels.take_back(count)))
      transform::IncludeOp::create(
          builder, kernel.op->getLoc(), TypeRange(),
          SymbolRefAttr::get(builder.getContext(), kernel.sequence),
          transform::FailurePropagationMode::Propagate, ValueRange(root),
          /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
    auto shared = cleanUps.take_back(count);
    if (llvm::count_if(shared, [](auto &one) { return !one.isEmpty(); }) > 1) {
      CleanUp *kept = llvm::find_if(
          shared, [](const CleanUp &one) { return !one.isEmpty(); });
      kept->moveTo(builder, matchFunction(kernels.back(), root));
      for (CleanUp &other : shared)
        if (&other != kept)
          other.erase();
    }
    kernels = kernels.drop_back(count);
    cleanUps = cleanUps.drop_back(count);
  }
}

FailureOr<OwningOpRef<ModuleOp>>
baco::schedule::expandRecipes(ModuleOp payload, const HostInfo *host) {
  FailureOr<SmallVector<Kernel>> kernels = collectKernels(payload);
  if (failed(kernels))
    return failure();
  OwningOpRef<ModuleOp> schedule = ModuleOp::create(payload.getLoc());
  LDBG() << kernels->size() << " recipes in the module";
  if (kernels->empty())
    return schedule;

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
  if (host)
    for (const Kernel &kernel : *kernels)
      addCacheRules(
          kernel.op, kernel.recipe, *host,
          cast<transform::NamedSequenceOp>(SymbolTable::lookupSymbolIn(
              *schedule, kernels->size() > 1 ? kernel.sequence : mainName)));
  return schedule;
}

void baco::schedule::removeRecipes(ModuleOp payload) {
  payload->walk(
      [](Operation *op) { op->removeDiscardableAttr(BacoDialect::kRecipe); });
}
