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
#include "AliasVersions.h"
#include "ArgumentText.h"
#include "CallerShapes.h"
#include "DynamicResults.h"
#include "InputFiles.h"
#include "ShapeVersions.h"

#include "baco/IR/NoTune.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Target/Sparse/SparseCasts.h"

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
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-specialize-shapes"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static constexpr StringLiteral example =
    "FUNCTION:N=EXTENTS, such as f:0=512x64,1=64x64";

/// The most versions of a function for the shapes of its callers. Each is tuned
/// for some seconds at least.
static constexpr size_t maxVersions = 8;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether `value` has a rank, but not all extents.
static bool isDynamic(mlir::Value value) {
  return isa<MemRefType, RankedTensorType>(value.getType()) &&
         !cast<ShapedType>(value.getType()).hasStaticShape();
}

/// Whether versions of `function` can be tuned.
static bool isCandidate(func::FuncOp function) {
  return !function.isExternal() && !isNoTune(function) &&
         llvm::any_of(function.getArguments(), isDynamic) &&
         schedule::hasOpsToTune(function);
}

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
// The option
//===----------------------------------------------------------------------===//

/// Reads `512x?x64` into `extents`, which have the static ones.
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
    int64_t number;
    if (part == "?")
      continue;
    if (part.getAsInteger(10, number) || number < 1 || number > largest)
      return llvm::createStringError("extent '" + part + "' in '" + text +
                                     "' must be ? or an integer from 1 to " +
                                     llvm::Twine(largest));
    if (!ShapedType::isDynamic(extent) && extent != number)
      return llvm::createStringError(
          "extent " + part + " in '" + text +
          "' differs from that of the argument's type, " + llvm::Twine(extent));
    extent = number;
  }
  return llvm::Error::success();
}

/// Why `version` of `function` can't be a kernel that this calls; empty if it
/// can.
static std::string whyNoVersion(func::FuncOp function, func::FuncOp version) {
  for (BlockArgument argument : function.getArguments())
    if (auto encoding = encodingOf(argument.getType());
        encoding && encoding.isAllDense() && isDynamic(argument))
      return "argument " + std::to_string(argument.getArgNumber()) +
             " is sparse, and all of its levels are dense, of which upstream "
             "makes no tensor of static shape; write its extents in its type";
  return whyNoKernel(version);
}

/// Why `extents` can't have a version that is a kernel; empty if they can.
static std::string whyNoVersion(func::FuncOp function, const Extents &extents) {
  auto version = makeVersion(function, extents, function);
  if (!version)
    return llvm::toString(version.takeError());
  std::string why = whyNoVersion(function, *version);
  version->erase();
  return why;
}

/// An option that works when it is typed, with extents of files and examples
/// for unknown ones. The error says why there is no such option.
static llvm::Expected<std::string> proposeOption(func::FuncOp function,
                                                 Extents extents) {
  {
    // Errors in files are reported where the files are read.
    ScopedDiagnosticHandler silence(function.getContext(),
                                    [](Diagnostic &) { return success(); });
    (void)takeFileExtents(function, extents);
  }
  std::string why;
  // The usual extents of vectors, or beside short ones, give too little to do.
  for (int64_t scale : {1, 16, 256}) {
    Extents example = exampleExtents(function, extents, scale);
    why = whyNoVersion(function, example);
    if (why.empty())
      return writeOption(function, example);
  }
  return llvm::createStringError(why);
}

/// The extents that a group of the option says.
static llvm::Expected<Extents> readShape(const ArgumentTexts &texts) {
  func::FuncOp function = texts.function;
  Extents extents = extentsOf(function);
  llvm::SmallDenseSet<unsigned> given;
  for (const auto &[name, text] : texts.values) {
    llvm::Expected<unsigned> argument = findArgument(function, name);
    if (!argument)
      return argument.takeError();
    std::string message;
    if (extents[*argument].empty())
      message = "it is neither a ranked memref nor a ranked tensor";
    else if (!given.insert(*argument).second)
      message = "its extents are given twice";
    else if (llvm::Error error = readExtents(text, extents[*argument]))
      message = llvm::toString(std::move(error));
    if (!message.empty())
      return llvm::createStringError("argument " + name + " of '@" +
                                     function.getName() + "': " + message);
  }
  if (llvm::Error error = deduceExtents(function, extents))
    return llvm::createStringError(writeOption(function, extents) + ": " +
                                   llvm::toString(std::move(error)));
  if (!areKnown(extents)) {
    auto all = proposeOption(function, extents);
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

using RequestedShapes = llvm::MapVector<Operation *, SmallVector<Extents>>;

static llvm::Expected<RequestedShapes>
readOption(ModuleOp module, StringRef text, ArrayRef<func::FuncOp> candidates) {
  RequestedShapes requested;
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
    if (!llvm::is_contained(shapes, *extents))
      shapes.push_back(std::move(*extents));
  }
  return requested;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

namespace {
/// Makes the versions of functions.
class Specializer {
public:
  Specializer(ModuleOp module, RequestedShapes requested)
      : module(module), requested(std::move(requested)) {}

  /// Fails with a diagnostic if a requested version can't be had.
  LogicalResult run(SmallVector<func::FuncOp> pending);

private:
  LogicalResult specialize(func::FuncOp function, ArrayRef<Extents> shapes,
                           bool isRequested);

  ModuleOp module;
  RequestedShapes requested;
  /// All versions so far.
  SmallVector<func::FuncOp> made;
};
} // namespace

/// Says which shapes to give.
static void remarkShapes(func::FuncOp function, const llvm::Twine &why) {
  auto option = proposeOption(function, extentsOf(function));
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
    auto version = makeVersion(function, extents,
                               versions.empty() ? function : versions.back());
    std::string its = version ? whyNoVersion(function, *version)
                              : llvm::toString(version.takeError());
    if (its.empty()) {
      versions.push_back(*version);
      continue;
    }
    if (version)
      version->erase();
    why = writeOption(function, extents) + ": " + its;
    if (isRequested)
      return module.emitError() << why;
    LDBG() << "no version for " << why;
  }
  if (versions.empty()) {
    remarkShapes(function, "no shape of its callers can be (" + why + ")");
    return success();
  }
  dispatch(function, versions);
  llvm::append_range(made, versions);
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
                                               StringRef shapes) {
  module.getContext()
      ->loadDialect<BacoDialect, bufferization::BufferizationDialect>();
  SmallVector<func::FuncOp> candidates;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (isCandidate(function))
      candidates.push_back(function);
    else if (!function.isExternal() &&
             llvm::none_of(function.getArguments(), isDynamic))
      foldLocalShapes(function);
  auto requested = readOption(module, shapes, candidates);
  if (!requested)
    return module.emitError()
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
