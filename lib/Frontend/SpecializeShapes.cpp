//===- SpecializeShapes.cpp - Versions for known shapes -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callers come before the functions that they call, for a version shows other
// shapes than the function that it is made of.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/SpecializeShapes.h"
#include "ShapeOption.h"
#include "ShapeVersions.h"

#include "baco/IR/NoTune.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-specialize-shapes"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

/// The most versions of a function for the shapes of its callers. Each is tuned
/// for some seconds at least.
static constexpr size_t maxVersions = 8;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// How many ops of `function` have operands of dynamic shape.
static int64_t countDynamicOps(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](Operation *op) {
    count += llvm::any_of(op->getOperands(), isDynamic);
  });
  return count;
}

/// Folds a function that makes values of dynamic shape, but takes none, if
/// fewer ops have one then.
static void foldLocalShapes(func::FuncOp function) {
  int64_t before = countDynamicOps(function);
  if (before == 0 || !schedule::hasOpsToTune(function))
    return;
  auto folded = makeVersion(function, extentsOf(function), function);
  if (!folded)
    return llvm::consumeError(folded.takeError());
  if (countDynamicOps(*folded) < before &&
      folded->getFunctionType() == function.getFunctionType())
    function.getBody().takeBody(folded->getBody());
  folded->erase();
}

/// The functions that `function` calls, directly or not.
static llvm::SmallPtrSet<Operation *, 8> reachableFrom(func::FuncOp function,
                                                       SymbolTable &symbols) {
  llvm::SmallPtrSet<Operation *, 8> reached;
  SmallVector<Operation *> open = {function};
  while (!open.empty())
    open.pop_back_val()->walk([&](func::CallOp call) {
      Operation *callee = symbols.lookup(call.getCallee());
      if (callee && reached.insert(callee).second)
        open.push_back(callee);
    });
  return reached;
}

/// Takes from `pending` the functions that no other of them calls; all of them
/// if each is called.
static SmallVector<func::FuncOp>
takeCallers(ModuleOp module, SmallVector<func::FuncOp> &pending) {
  SymbolTable symbols(module);
  llvm::SmallPtrSet<Operation *, 16> called;
  for (func::FuncOp function : pending)
    for (Operation *callee : reachableFrom(function, symbols))
      if (callee != function)
        called.insert(callee);
  SmallVector<func::FuncOp> callers, rest;
  for (func::FuncOp function : pending)
    (called.contains(function) ? rest : callers).push_back(function);
  if (callers.empty())
    std::swap(callers, rest);
  pending = std::move(rest);
  return callers;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

namespace {
/// Makes the versions of functions.
class Specializer {
public:
  Specializer(ModuleOp module, ShapesByFunction requested)
      : module(module), requested(std::move(requested)) {}

  /// Fails with a diagnostic if a requested version can't be had.
  LogicalResult run(SmallVector<func::FuncOp> pending);

private:
  LogicalResult specialize(func::FuncOp function, ArrayRef<Extents> shapes,
                           bool isRequested);
  bool isInVersions(func::FuncOp function) const;

  ModuleOp module;
  ShapesByFunction requested;
  /// All versions so far, and the functions that have them.
  SmallVector<func::FuncOp> made, specialized;
};
} // namespace

/// Whether versions of its callers hold what `function` does.
bool Specializer::isInVersions(func::FuncOp function) const {
  SymbolTable symbols(module);
  return function.isPrivate() && returnsDynamicTensors(function) &&
         canInline(function) &&
         llvm::any_of(specialized, [&](func::FuncOp caller) {
           return reachableFrom(caller, symbols).contains(function);
         });
}

/// Says which shapes to give.
static void remarkShapes(func::FuncOp function, const llvm::Twine &why) {
  auto option = proposeShapeOption(function, extentsOf(function));
  InFlightDiagnostic remark = function.emitRemark() << "not tuned: " << why;
  const auto *sparse =
      llvm::find_if(function.getArguments(), [](BlockArgument argument) {
        return encodingOf(argument.getType()) && isDynamic(argument);
      });
  if (sparse != function.getArguments().end())
    remark << "; give the entries of argument " << sparse->getArgNumber()
           << " by --arg=" << function.getName() << ":"
           << sparse->getArgNumber() << "=@FILE";
  if (option)
    remark << "; say which shapes to tune: " << *option;
  else
    remark << ", and no example of shapes can be tuned: "
           << llvm::toString(option.takeError());
  markNoTune(function);
}

LogicalResult Specializer::specialize(func::FuncOp function,
                                      ArrayRef<Extents> shapes,
                                      bool isRequested) {
  std::string why;
  SmallVector<func::FuncOp> versions;
  for (const Extents &extents : shapes) {
    auto version = makeKernel(function, extents,
                              versions.empty() ? function : versions.back());
    if (version) {
      versions.push_back(*version);
      continue;
    }
    why = writeOption(function, extents) + ": " +
          llvm::toString(version.takeError());
    if (isRequested)
      return emitError(module->getLoc()) << why;
    LDBG() << "no version for " << why;
  }
  if (versions.empty()) {
    remarkShapes(function, "no shape of its callers can be (" + why + ")");
    return success();
  }
  dispatch(function, versions);
  llvm::append_range(made, versions);
  specialized.push_back(function);
  markNoTune(function);
  return success();
}

LogicalResult Specializer::run(SmallVector<func::FuncOp> pending) {
  while (!pending.empty()) {
    SmallVector<func::FuncOp> callers = takeCallers(module, pending), unasked;
    for (func::FuncOp function : callers)
      if (!requested.contains(function))
        unasked.push_back(function);
    SmallVector<SmallVector<Extents>> found = findCallerShapes(unasked, made);
    for (func::FuncOp function : callers) {
      bool isRequested = requested.contains(function);
      ArrayRef<Extents> shapes;
      if (isRequested)
        shapes = requested[function];
      else
        shapes = found[llvm::find(unasked, function) - unasked.begin()];
      if (shapes.empty() && isInVersions(function)) {
        markNoTune(function);
        continue;
      }
      if (shapes.empty()) {
        remarkShapes(function, "the shapes of its arguments are dynamic");
        continue;
      }
      if (returnsDynamicTensors(function) && !canInline(function)) {
        remarkShapes(function, "it returns tensors of dynamic shape, and has "
                               "several blocks or calls itself, which can't "
                               "be bufferized");
        continue;
      }
      if (!isRequested && shapes.size() > maxVersions) {
        function.emitRemark()
            << "the largest " << maxVersions << " of the " << shapes.size()
            << " shapes of its callers are tuned";
        shapes = shapes.take_front(maxVersions);
      }
      if (failed(specialize(function, shapes, isRequested)))
        return failure();
    }
  }
  return success();
}

/// Whether `function` has an op to tune of static shape.
static bool hasStaticOp(func::FuncOp function) {
  return contains(function, [](Operation *op) {
    return isa<linalg::LinalgOp>(op) &&
           llvm::none_of(op->getOperands(), isDynamic);
  });
}

/// Inlines calls that return tensors of dynamic shape. Callers are not tuned if
/// their only ops to tune are there for other shapes.
static LogicalResult inlineResults(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 8> tunable;
  for (auto function : module.getOps<func::FuncOp>())
    if (schedule::hasOpsToTune(function))
      tunable.insert(function);
  for (func::FuncOp caller : inlineDynamicResults(module)) {
    if (failed(foldShapes(caller)))
      return failure();
    if (!tunable.contains(caller) && !hasStaticOp(caller))
      markNoTune(caller);
  }
  return success();
}

LogicalResult baco::frontend::specializeShapes(ModuleOp module,
                                               const RequestedShapes &shapes) {
  module.getContext()
      ->loadDialect<BacoDialect, bufferization::BufferizationDialect>();
  SmallVector<func::FuncOp> candidates;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (canHaveVersions(function))
      candidates.push_back(function);
    else if (!function.isExternal() &&
             llvm::none_of(function.getArguments(), isDynamic))
      foldLocalShapes(function);
  auto requested = completeShapes(module, shapes);
  if (!requested)
    return emitError(module->getLoc())
           << "shape: " << llvm::toString(requested.takeError());
  if (failed(Specializer(module, std::move(*requested))
                 .run(std::move(candidates))))
    return failure();
  if (failed(inlineResults(module)))
    return failure();
  separateBuffers(module);
  target::assembleSparseCasts(module);
  return success();
}

void baco::frontend::registerSpecializeDialects(DialectRegistry &registry) {
  registry.insert<BacoDialect, affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, memref::MemRefDialect,
                  scf::SCFDialect, sparse_tensor::SparseTensorDialect,
                  tensor::TensorDialect>();
  OpPassManager manager(ModuleOp::getOperationName());
  manager.addPass(memref::createResolveShapedTypeResultDimsPass());
  manager.getDependentDialects(registry);
}
