//===- KernelEligibility.cpp - Whether a function can be a kernel
//---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// External functions are judged by their types: what takes and returns scalars
// computes, as expf; what returns nothing prints, as printF64; what takes
// nothing reads something else, as rtclock.
//
//===----------------------------------------------------------------------===//

#include "KernelEligibility.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace baco::frontend;

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether a function of this type only computes a value.
static bool computes(FunctionType type) {
  return type.getNumInputs() > 0 && type.getNumResults() > 0 &&
         llvm::all_of(type.getInputs(), isScalar) &&
         llvm::all_of(type.getResults(), isScalar);
}

bool baco::frontend::isPrinter(StringRef name) {
  return name.contains_insensitive("print");
}

/// Whether a library's function of this name and type may be a part of a
/// kernel.
static bool mayBeKernel(StringRef name, FunctionType type) {
  return llvm::any_of(type.getInputs(), llvm::IsaPred<ShapedType>) &&
         !isPrinter(name);
}

/// The function that `call` calls; null if that isn't known.
static func::FuncOp calleeOf(CallOpInterface call, ModuleOp module) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  return symbol ? module.lookupSymbol<func::FuncOp>(symbol) : func::FuncOp();
}

/// The error says why `op` itself, without the ops in it, can't be executed
/// alone.
llvm::Error KernelEligibility::checkOp(Operation *op) {
  if (isa<vector::PrintOp>(op))
    return llvm::createStringError("it prints");
  if (!op->isRegistered())
    return llvm::createStringError(
        "the effects of '" + op->getName().getStringRef() + "' are not known");
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return llvm::Error::success();
  func::FuncOp callee = calleeOf(call, module);
  if (!callee)
    return llvm::createStringError("it calls a function that is not known");
  FunctionType type = callee.getFunctionType();
  StringRef name = callee.getName();
  if (!callee.isExternal())
    return llvm::errorToBool(checkBody(callee))
               ? llvm::createStringError("it calls '@" + name + "'")
               : llvm::Error::success();
  if (computes(type) || (hasLibraries && mayBeKernel(name, type)))
    return llvm::Error::success();
  // Parts of kernels that need it.
  StringRef remedy =
      mayBeKernel(name, type)
          ? "; if it is a part of a kernel, name its library in --shared-libs"
          : "";
  return llvm::createStringError("it calls '@" + name + "', which is external" +
                                 remedy);
}

/// Fails with the first reason in the body of `function`.
llvm::Error KernelEligibility::checkBody(func::FuncOp function) {
  auto [entry, isNew] = known.try_emplace(function);
  // A recursive call has the effects of the others.
  if (isNew) {
    std::string why;
    function.getBody().walk([&](Operation *op) {
      why = llvm::toString(checkOp(op));
      return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
    known[function] = why;
  }
  StringRef why = known[function];
  return why.empty() ? llvm::Error::success() : llvm::createStringError(why);
}

/// Whether some shape of `type` can be passed to a kernel.
static bool isPassed(Type type) {
  return isScalar(type) || isa<ComplexType, MemRefType, RankedTensorType>(type);
}

/// The function of the C library that `op`, of the math dialect, may become a
/// call of.
static std::string libraryName(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<math::PowFOp, math::AbsFOp>(op))
    name.consume_back("f");
  bool isDouble = getElementTypeOrSelf(op->getResult(0)).isF64();
  return (name + (isDouble ? "" : "f")).str();
}

/// An op of `function` that may become a call of it, as it has the name of a
/// function of the C library.
static Operation *findCallByName(func::FuncOp function) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    if (isa_and_present<math::MathDialect>(op->getDialect()) &&
        libraryName(op) == function.getName())
      found = op;
  });
  return found;
}

llvm::Error KernelEligibility::check(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  if (llvm::Error error = checkBody(function))
    return error;
  if (Operation *op = findCallByName(function))
    return llvm::createStringError(
        "'" + op->getName().getStringRef() +
        "' becomes a call of the C library's function of this name, which "
        "it would replace, so that it should be renamed");
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    if (!isPassed(input))
      return llvm::createStringError("argument " + Twine(i) + " has type " +
                                     debugString(input));
  for (Type result : type.getResults())
    if (auto memory = dyn_cast<BaseMemRefType>(result))
      if (!memory.hasRank() || !memory.hasStaticShape())
        return llvm::createStringError("it returns memory of dynamic shape");
  // Without globals nobody sees what it computes.
  bool readsGlobals =
      baco::contains(function, llvm::IsaPred<memref::GetGlobalOp>);
  if (type.getNumInputs() == 0 && type.getNumResults() == 0 && !readsGlobals)
    return llvm::createStringError("it takes no arguments");
  return llvm::Error::success();
}

llvm::Error KernelEligibility::checkPart(Operation *root) {
  std::string why;
  root->walk([&](Operation *op) {
    why = llvm::toString(checkOp(op));
    auto call = dyn_cast<CallOpInterface>(op);
    func::FuncOp callee =
        why.empty() && call ? calleeOf(call, module) : func::FuncOp();
    if (callee && !callee.isExternal() && !computes(callee.getFunctionType()))
      why = "it calls '@" + callee.getName().str() + "'";
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return why.empty() ? llvm::Error::success() : llvm::createStringError(why);
}
