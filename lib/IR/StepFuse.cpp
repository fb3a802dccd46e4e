//===- StepFuse.cpp - Fuse ------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that fuses the producer of an operand.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult FuseAttr::verify(EmitError emitError, DenseI64ArrayAttr producer,
                               Attribute enabled) {
  if (producer.empty())
    return emitError() << "a fuse step needs the index of an operand";
  for (int64_t operand : producer.asArrayRef())
    if (operand < 0)
      return emitError() << "operand index " << operand << " is negative";
  return verifySwitch(emitError, enabled);
}

static std::string pathText(ArrayRef<int64_t> path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(path, stream << "[");
  stream << "]";
  return text;
}

/// The linalg op that computes the operand at `path`; null after an error.
static linalg::LinalgOp findProducer(RecipeState &state,
                                     ArrayRef<int64_t> path) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  for (int64_t operand : path) {
    if (operand >= op.getNumDpsInputs()) {
      state.emitError() << "'" << op->getName() << "' has no input " << operand
                        << ", it has " << op.getNumDpsInputs();
      return nullptr;
    }
    auto next = op.getDpsInputs()[operand].getDefiningOp<linalg::LinalgOp>();
    if (!next || next->getBlock() != op->getBlock()) {
      state.emitError() << "no linalg op in the same block computes input "
                        << operand << " of '" << op->getName() << "'";
      return nullptr;
    }
    if (next->hasAttr(BacoDialect::kRecipe)) {
      InFlightDiagnostic diag = state.emitError()
                                << "the op that computes input " << operand
                                << " of '" << op->getName()
                                << "' has its own recipe";
      diag.attachNote(next.getLoc()) << "here";
      return nullptr;
    }
    op = next;
  }
  return op;
}

LogicalResult RecipeState::needOneNest() {
  if (numLoopSteps != 1)
    return emitError()
           << (numLoopSteps == 0
                   ? "there is no loop yet to fuse into; put a 'tile' or "
                     "'parallelize' before it"
                   : "several steps have made loops, and ops can be fused only "
                     "into those of the first; put this step right after that "
                     "one");
  if (parts || reductionSplit || packed)
    return emitError() << "the step needs the loops of one op, but remainders, "
                          "'split_reduction' and 'pack' make several ops";
  return success();
}

LogicalResult FuseAttr::advance(RecipeState &state) const {
  ArrayRef<int64_t> path = getProducer().asArrayRef();
  if (failed(state.needTensors()) || failed(state.needOneNest()))
    return failure();
  linalg::LinalgOp producer = findProducer(state, path);
  if (!producer)
    return failure();
  return state.fuse(path, getEnabled());
}

LogicalResult RecipeState::fuse(ArrayRef<int64_t> path, Attribute enabled) {
  auto find = [&](ArrayRef<int64_t> wanted) {
    return llvm::find_if(
        fusions, [&](const auto &fusion) { return fusion.first == wanted; });
  };
  if (find(path) != fusions.end())
    return emitError() << "an earlier step has fused producer "
                       << pathText(path);
  if (path.size() > 1) {
    auto *parent = find(path.drop_back());
    if (parent == fusions.end())
      return emitError() << "producer " << pathText(path.drop_back())
                         << ", which reads it, must be fused first";
    auto isOn = [](Attribute enabled) {
      return enabled ? Quantity(enabled).str() : "1";
    };
    std::string into = isOn(parent->second), self = isOn(enabled);
    std::string reason =
        "producer " + pathText(path) + " can be fused only if its reader is";
    if (into == "0" && self != "0")
      return emitError() << reason;
    if (into != "1" && into != self)
      require(self + " <= " + into, reason);
  }
  fusions.push_back({llvm::to_vector(path), enabled});
  return success();
}

/// A handle to the producer, taken before anything is changed.
static mlir::Value findProducerHandle(RecipeExpander &expander,
                                      ArrayRef<int64_t> path) {
  OpBuilder &builder = expander.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(expander.original);
  mlir::Value handle = expander.original;
  for (int64_t operand : path) {
    auto producer = transform::GetProducerOfOperand::create(
        builder, expander.loc, expander.anyOp, handle, operand);
    handle = producer.getProducer();
  }
  return handle;
}

void FuseAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  Attribute enabled = getEnabled();
  if (!whereOn(enabled))
    return;
  mlir::Value producer =
      findProducerHandle(expander, getProducer().asArrayRef());
  auto fuse = [&]() -> SmallVector<mlir::Value> {
    auto op = transform::FuseIntoContainingOp::create(
        builder, expander.loc, expander.anyOp, expander.anyOp, producer,
        expander.innermostLoop);
    // Values without uses would be computed nevertheless.
    transform::ApplyDeadCodeEliminationOp::create(builder, expander.loc,
                                                  expander.function);
    return {op.getFusedOp(), op.getNewContainingOp()};
  };
  auto leave = [&]() -> SmallVector<mlir::Value> {
    return {expander.noOps(), expander.innermostLoop};
  };
  SmallVector<mlir::Value> results =
      expander.ifEnabled(enabled, /*numHandles=*/2, leave, fuse);
  expander.fused.push_back(results[0]);
  // The loop is the innermost one made by the step before.
  for (RecipeExpander::Loop &loop : expander.loops)
    if (loop.handle == expander.innermostLoop)
      loop.handle = results[1];
  expander.innermostLoop = results[1];
}
