//===- CountFlops.cpp - Floating point operations of a kernel -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrong count is worse than none: any operation that can't be counted makes
// the count unknown.
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include "baco/Analysis/IterationGraph.h"
#include "baco/Analysis/TripCount.h"
#include "baco/KernelAnalysis/KernelSignature.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

bool driver::sumsIntegers(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getNumReductionLoops() > 0 &&
         llvm::all_of(structured.getDpsInits().getTypes(), [](Type type) {
           Type element = getElementTypeOrSelf(type);
           return isa<IntegerType>(element) && !element.isInteger(1);
         });
}

/// Whether `op` is a product or a sum of integers that the result needs.
/// Differences with a zero point aren't: they can be taken of the sum at once.
static bool isIntegerOperation(Operation *op) {
  return isa<arith::MulIOp, arith::AddIOp>(op) &&
         isa<IntegerType>(op->getResult(0).getType()) &&
         sumsIntegers(op->getParentOp());
}

/// The operations of an op without regions.
static std::optional<double> countPlain(Operation *op) {
  if (isa<memref::MemRefDialect, affine::AffineDialect, tensor::TensorDialect,
          bufferization::BufferizationDialect>(op->getDialect()) ||
      isa<scf::YieldOp, scf::ReduceOp, linalg::YieldOp, linalg::IndexOp,
          func::ReturnOp>(op))
    return 0;
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return std::nullopt;
  if (isa<CastOpInterface, arith::ConstantOp, arith::SelectOp>(op))
    return 0;
  double count = isa<math::FmaOp>(op) ? 2 : 1;
  Type type = op->getResult(0).getType();
  if (auto vector = dyn_cast<VectorType>(type); vector && !vector.isScalable())
    count *= vector.getNumElements();
  else if (isa<ShapedType>(type))
    return std::nullopt;
  bool isCounted =
      isa<FloatType>(getElementTypeOrSelf(type)) || isIntegerOperation(op);
  return isCounted ? count : 0;
}

static std::optional<double> countIn(Region &region);

/// Per element: a difference, an exponential, a sum, a maximum and a quotient.
static std::optional<double> countSoftmax(linalg::SoftmaxOp op) {
  constexpr double perElement = 5;
  ShapedType type = op.getInputOperandType();
  if (!type.hasStaticShape())
    return std::nullopt;
  return perElement * static_cast<double>(type.getNumElements());
}

/// The iterations of an op with a sparse operand: those of its other loops for
/// each entry.
static std::optional<double> countOnEntries(Operation *op) {
  auto graph = IterationGraph::create(op);
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return std::nullopt;
  }
  std::optional<int64_t> entries = graph->getNumEntries();
  std::optional<double> trips = tripCount(graph->getOp());
  if (!entries || !trips)
    return std::nullopt;
  for (int64_t extent : graph->getShape())
    *trips /= static_cast<double>(extent);
  return *trips * static_cast<double>(*entries);
}

static std::optional<double> count(Operation *op) {
  if (!op->getDialect())
    return std::nullopt;
  if (isa<scf::InParallelOp>(op))
    return 0;
  std::optional<double> trips;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    trips = hasSparseTensors(op) ? countOnEntries(op) : tripCount(structured);
  else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return countSoftmax(softmax);
  else if (op->getNumRegions() == 0)
    return countPlain(op);
  else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    trips = tripCount(loop);
  if (!trips || op->getNumRegions() != 1)
    return std::nullopt;
  std::optional<double> once = countIn(op->getRegion(0));
  return once ? std::optional(*trips * *once) : std::nullopt;
}

/// The operations of a region that is one block.
static std::optional<double> countIn(Region &region) {
  if (!region.hasOneBlock())
    return std::nullopt;
  double total = 0;
  for (Operation &op : region.front()) {
    std::optional<double> one = count(&op);
    if (!one)
      return std::nullopt;
    total += *one;
  }
  return total;
}

std::optional<double> driver::countFlops(Operation *function) {
  std::optional<double> total = countIn(function->getRegion(0));
  return total && *total > 0 ? total : std::nullopt;
}

std::optional<double> driver::countFlops(func::FuncOp function,
                                         const runtime::ScalarValues &values) {
  auto module = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy = module.clone();
  auto bound = copy->lookupSymbol<func::FuncOp>(function.getName());
  target::bindScalars(bound, values);
  PassManager manager(function.getContext(), func::FuncOp::getOperationName());
  manager.addPass(createCanonicalizerPass());
  if (failed(manager.run(bound)))
    return std::nullopt;
  return countFlops(bound);
}
