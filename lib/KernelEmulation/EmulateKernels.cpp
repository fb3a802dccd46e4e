//===- EmulateKernels.cpp - The pass baco-emulate-kernels -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs, orders, and the comparison with unscheduled code.
//
//===----------------------------------------------------------------------===//

#include "baco/KernelEmulation/EmulateKernels.h"
#include "EmulatorHost.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Pipelines.h"
#include "baco/Verification/Operands.h"
#include "baco/Verification/Verify.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-emulate-kernels"

namespace baco::target {
#define GEN_PASS_DEF_EMULATEKERNELSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco::target;
using namespace baco::runtime;

namespace {
/// A function's inputs, and the outputs to expect if there is a reference.
class Comparison {
public:
  Comparison(const Signature &signature, uint64_t seed)
      : signature(signature), inputs(generateInputs(signature, seed)),
        size(OutputLayout(signature).byteSize()),
        operands(Operands::create(signature, inputs)) {}

  bool hasMemory() const { return operands != nullptr; }

  /// Calls `entry` on the inputs; the outputs are in `block` then.
  template <typename Entry>
  auto call(Entry entry, bool isAbsolute, std::vector<std::byte> &block) {
    operands->use(inputs, Addresses::Pages);
    operands->fill(isAbsolute);
    block.resize(size);
    if constexpr (std::is_void_v<decltype(entry(operands->pointers()))>) {
      entry(operands->pointers());
      operands->copyOutputs(block.data());
    } else {
      auto result = entry(operands->pointers());
      operands->copyOutputs(block.data());
      return result;
    }
  }

  void setReference(const CompiledKernel &plain) {
    reference.emplace();
    call(plain.entry, false, reference->expected);
    call(plain.entry, true, reference->magnitude);
  }

  /// Why the outputs of `name`, an order, are wrong.
  std::optional<std::string> check(const std::string &name,
                                   std::vector<std::byte> outputs) {
    if (int changed = operands->firstChanged(); changed >= 0)
      return "argument " + std::to_string(changed) +
             " is only read by the reference, but is changed";
    if (reference)
      return findMismatch(signature, *reference, outputs.data());
    if (first.empty()) {
      first = std::move(outputs);
      firstOrder = name;
    } else if (first != outputs) {
      return "the results differ from those of order '" + firstOrder + "'";
    }
    return std::nullopt;
  }

private:
  const Signature &signature;
  std::vector<ArgumentData> inputs;
  size_t size;
  std::unique_ptr<Operands> operands;
  std::optional<Reference> reference;
  std::vector<std::byte> first;
  std::string firstOrder;
};

/// Whether `op` is a function of floats that code for GPUs computes by a
/// polynomial.
bool isApproximated(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         op->getNumResults() == 1 &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) &&
         !isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
              math::FmaOp, math::RoundEvenOp, math::RoundOp, math::RsqrtOp,
              math::SqrtOp, math::TruncOp>(op);
}

/// The function of the reference's module that `function` was.
llvm::Expected<func::FuncOp> findPlain(func::FuncOp function, ModuleOp plain) {
  auto found = plain.lookupSymbol<func::FuncOp>(function.getName());
  if (!found || found.isExternal())
    return llvm::createStringError("the reference has no function '" +
                                   function.getName() + "'");
  if (found.getFunctionType() != function.getFunctionType())
    return llvm::createStringError("function '" + function.getName() +
                                   "' of the reference has another type");
  return found;
}

/// Runs all orders.
EmulationResult runOrders(EmulatedFunction &emulated, Comparison &comparison,
                          const EmulationOptions &options) {
  std::vector<EmulatedOrder> all = {{EmulatedOrder::Forward, 0},
                                    {EmulatedOrder::Reverse, 0}};
  for (unsigned i = 0; i < options.orders; ++i)
    all.push_back({EmulatedOrder::Seeded, options.seed + i});
  for (const EmulatedOrder &order : all) {
    LDBG() << "runs order '" << orderName(order) << "'";
    std::string place = "order '" + orderName(order) + "': ";
    std::vector<std::byte> outputs;
    llvm::Error error = comparison.call(
        [&](void **arguments) { return emulated.run(arguments, order); }, false,
        outputs);
    if (error)
      return {baco::Status::DeviceFault,
              place + llvm::toString(std::move(error))};
    if (auto why = comparison.check(orderName(order), std::move(outputs)))
      return {baco::Status::WrongResult, place + *why};
  }
  return {};
}

struct EmulateKernelsPass
    : public baco::target::impl::EmulateKernelsPassBase<EmulateKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerEmulationDialects(registry);
  }

protected:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    OwningOpRef<ModuleOp> plain;
    if (!reference.empty()) {
      plain = parseSourceFile<ModuleOp>(reference, &getContext());
      if (!plain)
        return signalPassFailure();
    }
    EmulationOptions options;
    options.seed = seed;
    options.orders = orders;
    if (failed(emulateKernels(getOperation(), *plain, options)))
      signalPassFailure();
  }
};
} // namespace

void baco::target::registerEmulationDialects(DialectRegistry &registry) {
  OpPassManager lowering(ModuleOp::getOperationName());
  buildLowerToCPUPipeline(lowering);
  lowering.getDependentDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

EmulationResult baco::target::emulateFunction(func::FuncOp function,
                                              ModuleOp plain,
                                              const EmulationOptions &options) {
  auto fail = [](llvm::Error error) {
    return EmulationResult{baco::Status::CompileFailed,
                           llvm::toString(std::move(error))};
  };
  func::FuncOp original = function;
  if (plain) {
    auto found = findPlain(function, plain);
    if (!found)
      return fail(found.takeError());
    original = *found;
  }
  Signature signature;
  if (options.signature) {
    signature = *options.signature;
  } else {
    auto found = kernelSignature(original);
    if (!found)
      return fail(found.takeError());
    signature = std::move(*found);
    if (baco::Result<void> loaded = loadSources(signature); !loaded)
      return {baco::Status::CompileFailed, loaded.error().message};
  }
  // Polynomials are off by up to six units in the last place (docs/Gpu.md), and
  // the reference's functions by one: as far as the roundings of some more
  // terms. (On CPUs conditioning allows for that.)
  constexpr int64_t termsOfFunctions = 3;
  if (baco::contains(original, isApproximated))
    signature.reductionLength += termsOfFunctions;
  FailureOr<std::unique_ptr<EmulatedFunction>> emulated =
      EmulatedFunction::create(function);
  if (failed(emulated))
    return {baco::Status::CompileFailed, ""};
  Comparison comparison(signature, options.seed);
  if (!comparison.hasMemory())
    return {baco::Status::CompileFailed, "there is no memory for inputs"};
  if (plain) {
    OwningOpRef<ModuleOp> copy = cloneWithoutSchedules(plain);
    copy->lookupSymbol<func::FuncOp>(function.getName()).setPublic();
    auto compiled = compileModule(*copy, function.getName());
    if (!compiled)
      return fail(compiled.takeError());
    comparison.setReference(*compiled);
  }
  return runOrders(**emulated, comparison, options);
}

/// How often the loops around `op` run it; nullopt if that isn't static.
static std::optional<double> countTrips(Operation *op) {
  double count = 1;
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    std::optional<uint64_t> trips;
    // Upstream's interface doesn't know it of affine loops.
    if (auto loop = dyn_cast<affine::AffineForOp>(parent))
      trips = affine::getConstantTripCount(loop);
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
      if (std::optional<llvm::APInt> known = loop.getStaticTripCount())
        trips = known->getZExtValue();
    if (!trips)
      return std::nullopt;
    count *= static_cast<double>(*trips);
  }
  return count;
}

llvm::Expected<double> baco::target::countIterations(func::FuncOp function) {
  double count = 0;
  bool isKnown = true;
  function.walk([&](linalg::LinalgOp op) {
    std::optional<double> trips = countTrips(op);
    isKnown &= trips && !op.hasDynamicShape();
    if (!isKnown)
      return;
    double work = *trips;
    for (int64_t extent : op.getStaticLoopRanges())
      work *= static_cast<double>(extent);
    count += work;
  });
  if (!isKnown)
    return llvm::createStringError(
        "its linalg ops don't have static shapes and static numbers of trips");
  return count;
}

LogicalResult baco::target::emulateKernels(ModuleOp module, ModuleOp plain,
                                           const EmulationOptions &options) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (baco::contains(function, llvm::IsaPred<gpu::LaunchFuncOp>))
      functions.push_back(function);
  if (functions.empty())
    return emitError(module.getLoc())
           << "baco-emulate-kernels: no kernel is launched; lower the module "
              "by "
              "baco-lower-to-nvvm='format=llvm' before";
  for (func::FuncOp function : functions) {
    EmulationResult result = emulateFunction(function, plain, options);
    // Other failures have been reported.
    if (result.status != baco::Status::Ok && !result.message.empty())
      emitError(function.getLoc())
          << "baco-emulate-kernels: " << result.message;
    if (result.status != baco::Status::Ok)
      return failure();
    emitRemark(function.getLoc())
        << "baco-emulate-kernels: '" << function.getName() << "' is right in "
        << 2 + options.orders << " orders of blocks and threads";
  }
  return success();
}
