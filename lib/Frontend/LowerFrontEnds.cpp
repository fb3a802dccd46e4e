//===- LowerFrontEnds.cpp - From front ends' forms to linalg --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's passes, run on copies of the functions that need them: if one
// fails, the function stays as it is.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/LowerFrontEnds.h"

#include "LowerForms.h"

#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/Walk.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-front-ends"

using namespace mlir;
using namespace baco;

static bool isTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

static bool isElementwiseOnTensors(Operation *op) {
  return !isTosa(op) && OpTrait::hasElementwiseMappableTraits(op) &&
         isa<RankedTensorType>(op->getResultTypes().front());
}

static bool isPacking(Operation *op) {
  return isa<linalg::PackOp, linalg::UnPackOp>(op);
}

namespace {
/// How many ops of each kind there are to lower.
struct Counts {
  int64_t numTosa = 0, numElementwise = 0, numPackings = 0;

  void count(Operation *op) {
    bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
    numTosa += isTosa(op) && !isConstant && op->getNumResults() > 0;
    numElementwise += isElementwiseOnTensors(op);
    numPackings += isPacking(op);
  }
  void add(const Counts &other) {
    numTosa += other.numTosa;
    numElementwise += other.numElementwise;
    numPackings += other.numPackings;
  }
  bool isEmpty() const { return numTosa + numElementwise + numPackings == 0; }
  std::string text() const;
};
} // namespace

std::string Counts::text() const {
  SmallVector<std::string> parts;
  auto add = [&](int64_t count, StringRef one, StringRef many) {
    if (count > 0)
      parts.push_back(std::to_string(count) + " " +
                      (count == 1 ? one : many).str());
  };
  add(numTosa, "tosa op", "tosa ops");
  add(numElementwise, "elementwise op on tensors",
      "elementwise ops on tensors");
  add(numPackings, "packing of a tensor", "packings of tensors");
  return llvm::join(parts, ", ");
}

/// Upstream's pipeline without its check for profiles of TOSA, and what it
/// leaves to other passes.
static void addTosaPasses(OpPassManager &manager) {
  // Else the next pass refuses the terminators of conditions and loops.
  manager.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  TosaToArithPassOptions rescale;
  rescale.includeApplyRescale = true;
  auto &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass(rescale));
  functions.addPass(createTosaToTensorPass());
}

static void addPasses(OpPassManager &manager, const Counts &counts) {
  if (counts.numTosa > 0)
    addTosaPasses(manager);
  if (counts.numElementwise > 0)
    manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Makes packings of tensors paddings, reshapes and transpositions.
static LogicalResult lowerPackings(func::FuncOp function) {
  SmallVector<Operation *> packings;
  function->walk([&](Operation *op) {
    if (isPacking(op))
      packings.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (Operation *op : packings) {
    rewriter.setInsertionPoint(op);
    auto pack = dyn_cast<linalg::PackOp>(op);
    if (pack
            ? failed(linalg::lowerPack(rewriter, pack))
            : failed(linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op))))
      return op->emitError("can't be lowered to a transposition");
  }
  return success();
}

/// Lowers the ops of `function` that `counts` counts. On failure it stays as it
/// is, and a remark says why.
static LogicalResult lowerFunction(func::FuncOp function,
                                   const Counts &counts) {
  LDBG() << "'" << function.getName() << "' has " << counts.text();
  OwningOpRef<ModuleOp> copy = ModuleOp::create(function.getLoc());
  auto lowered = cast<func::FuncOp>(function->clone());
  copy->push_back(lowered);
  std::string why;
  {
    DiagnosticRecorder recorder(function.getContext());
    PassManager manager(function.getContext(), ModuleOp::getOperationName());
    // The functions that it calls are missing.
    manager.enableVerifier(false);
    addPasses(manager, counts);
    Operation *left = nullptr;
    bool works =
        succeeded(lowerPackings(lowered)) && succeeded(manager.run(*copy));
    if (works)
      lowered->walk([&](Operation *op) { left = isTosa(op) ? op : left; });
    if (works && !left) {
      function.getBody().takeBody(lowered.getBody());
      return success();
    }
    why = recorder.message(
        left
            ? ("'" + left->getName().getStringRef() + "' has no lowering").str()
            : "a pass failed");
  }
  emitRemark(function.getLoc())
      << "its " << counts.text() << " can't be lowered to linalg: " << why;
  return failure();
}

/// Whether `op` is a power whose exponent is an integer constant.
static bool isProduct(Operation *op) {
  if (!isa<math::FPowIOp, math::IPowIOp, math::PowFOp>(op))
    return false;
  APInt integer;
  APFloat number(0.0);
  return matchPattern(op->getOperand(1), m_ConstantInt(&integer)) ||
         (matchPattern(op->getOperand(1), m_ConstantFloat(&number)) &&
          number.isInteger());
}

/// Makes powers products, as far as upstream has patterns for the exponent:
/// there is no such function of vectors. Returns their number.
static int64_t lowerPowers(func::FuncOp function) {
  SmallVector<Operation *> powers;
  function->walk([&](Operation *op) {
    if (isProduct(op))
      powers.push_back(op);
  });
  if (powers.empty())
    return 0;
  RewritePatternSet patterns(function.getContext());
  populateMathAlgebraicSimplificationPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  // It converges: a product isn't a power.
  (void)applyOpPatternsGreedily(powers, std::move(patterns), config);
  auto count = static_cast<int64_t>(powers.size());
  function->walk([&](Operation *op) { count -= isProduct(op); });
  return count;
}

/// Drops numbered memory spaces, as accelerators have, from all types: a CPU
/// has one memory. Returns whether there were any.
static bool dropMemorySpaces(ModuleOp module) {
  if (contains(module, [](Operation *op) {
        return isa_and_present<gpu::GPUDialect>(op->getDialect());
      }))
    return false;
  bool isFound = false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    if (!isa_and_present<mlir::IntegerAttr>(type.getMemorySpace()))
      return std::nullopt;
    isFound = true;
    return MemRefType(MemRefType::Builder(type).setMemorySpace(Attribute()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // Casts between spaces.
  module.walk([](memref::MemorySpaceCastOp cast) {
    if (cast.getType() != cast.getSource().getType())
      return;
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  });
  return isFound;
}

/// Makes TOSA's variables globals.
static LogicalResult lowerVariables(ModuleOp module) {
  if (!contains(module, llvm::IsaPred<tosa::VariableOp>))
    return success();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createTosaToMLProgram());
  return manager.run(module);
}

/// Lowers the functions of the outermost module.
static Counts lowerFunctions(ModuleOp module) {
  Counts all;
  for (auto function : module.getOps<func::FuncOp>()) {
    Counts counts;
    function->walk([&](Operation *op) { counts.count(op); });
    if (!counts.isEmpty() && succeeded(lowerFunction(function, counts)))
      all.add(counts);
  }
  return all;
}

/// Says "`text` N `one`", or `many`, of a change that was made N times; whether
/// it was.
static bool remarkChanges(ModuleOp module, StringRef text, int64_t number,
                          StringRef one, StringRef many) {
  if (number > 0)
    emitRemark(module.getLoc())
        << text << " " << number << " " << (number == 1 ? one : many);
  return number > 0;
}

FailureOr<bool> frontend::lowerFrontEnds(ModuleOp module,
                                         bool hasMemorySpaces) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                    linalg::LinalgDialect>();
  // Remarks are at locations: those at ops may print the op, and all data.
  bool isChanged = remarkChanges(
      module, "put the contents of", liftNestedModules(module),
      "nested module in its place", "nested modules in their places");
  FailureOr<int64_t> numElided = fillElidedData(module);
  if (failed(numElided) || failed(lowerVariables(module)))
    return failure();
  constexpr StringLiteral madeUp =
      " made up, with a fixed seed; to keep your data, apply the schedule to "
      "the file with all data";
  isChanged |= remarkChanges(module, "the elided data of", *numElided,
                             ("constant were" + madeUp).str(),
                             ("constants were" + madeUp).str());
  isChanged |= remarkChanges(module, "made", lowerGlobals(module),
                             "global of ml_program a constant or memory",
                             "globals of ml_program constants or memory");
  if (!hasMemorySpaces && dropMemorySpaces(module)) {
    emitRemark(module.getLoc())
        << "dropped the memory spaces of types: a CPU has one memory";
    isChanged = true;
  }
  Counts lowered = lowerFunctions(module);
  if (!lowered.isEmpty()) {
    emitRemark(module.getLoc()) << "lowered " << lowered.text() << " to linalg";
    isChanged = true;
  }
  int64_t numPowers = 0, numCopies = 0, numFills = 0, numPoison = 0,
          numLoops = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    numLoops += lowerTensorLoops(function);
    numPoison += replacePoison(function);
    numPowers += lowerPowers(function);
    numCopies += separateResults(function);
    numFills += fillUndefined(function);
  }
  isChanged |= remarkChanges(module, "made", numPowers, "power a product",
                             "powers products");
  isChanged |=
      remarkChanges(module, "made", numLoops,
                    "affine loop or condition on tensors one of scf",
                    "affine loops and conditions on tensors ones of scf");
  isChanged |= remarkChanges(module, "made", numPoison, "poison value zero",
                             "poison values zero");
  constexpr StringLiteral zeros =
      " with zeros, of which elements are read before they are written";
  isChanged |=
      remarkChanges(module, "filled", numFills, ("allocation" + zeros).str(),
                    ("allocations" + zeros).str());
  isChanged |= remarkChanges(module, "copied", numCopies,
                             "tensor that is returned twice",
                             "tensors that are returned twice");
  return isChanged;
}

void frontend::registerFrontEndDialects(DialectRegistry &registry) {
  OpPassManager manager(ModuleOp::getOperationName());
  Counts all{1, 1, 1};
  addPasses(manager, all);
  manager.addPass(createTosaToMLProgram());
  manager.getDependentDialects(registry);
  registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                  linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, tensor::TensorDialect>();
}
