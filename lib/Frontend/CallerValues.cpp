//===- CallerValues.cpp - Integers that callers pass ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a copy of the module, upstream's inliner takes calls to where the numbers
// are known.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"
#include "baco/Frontend/SetInputs.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

namespace {
/// The values of an argument in all calls so far.
struct Passed {
  bool areConstants = true;
  /// The largest one; nullopt without calls.
  std::optional<int64_t> largest;

  void add(mlir::Value operand) {
    APInt constant;
    if (!matchPattern(operand, m_ConstantInt(&constant)) ||
        constant.getSignificantBits() > 64) {
      areConstants = false;
      return;
    }
    // An i1 is 0 or 1.
    int64_t value = constant.getBitWidth() == 1
                        ? static_cast<int64_t>(constant.getZExtValue())
                        : constant.getSExtValue();
    largest = std::max(largest.value_or(value), value);
  }
};
} // namespace

/// Whether callers may determine the value of argument `number`.
static bool isOpen(func::FuncOp function, unsigned number) {
  return function.getArgumentTypes()[number].isIntOrIndex() &&
         !function.getArgAttr(number, BacoDialect::kInput);
}

/// Whether values are sought for arguments of `function`.
static bool isSought(func::FuncOp function, ModuleOp module) {
  if (function.isExternal() || isNoTune(function) ||
      SymbolTable::symbolKnownUseEmpty(function, module))
    return false;
  auto numbers = llvm::seq<unsigned>(0, function.getNumArguments());
  return llvm::any_of(
             numbers,
             [&](unsigned number) { return isOpen(function, number); }) &&
         schedule::hasOpsToTune(function);
}

void baco::frontend::setCallerValues(ModuleOp module) {
  llvm::StringMap<SmallVector<Passed>> passed;
  llvm::StringSet<> kept;
  for (auto function : module.getOps<func::FuncOp>())
    if (isSought(function, module)) {
      passed[function.getName()].resize(function.getNumArguments());
      kept.insert(function.getName());
    }
  if (kept.empty())
    return;
  // Calls that can't be inlined or folded just show no values.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  // Callers that are inlined everywhere are to vanish, as their own arguments
  // are unknown.
  for (auto function : copy->getOps<func::FuncOp>())
    if (!SymbolTable::symbolKnownUseEmpty(function, *copy))
      function.setPrivate();
  if (failed(inlineAndFold(*copy, kept)))
    return;
  copy->walk([&](func::CallOp call) {
    auto found = passed.find(call.getCallee());
    if (found == passed.end())
      return;
    for (auto [operand, its] :
         llvm::zip_equal(call.getOperands(), found->second))
      its.add(operand);
  });
  for (auto function : module.getOps<func::FuncOp>()) {
    auto found = passed.find(function.getName());
    if (found == passed.end())
      continue;
    for (auto [number, its] : llvm::enumerate(found->second))
      if (its.areConstants && its.largest && isOpen(function, number))
        function.setArgAttr(
            number, BacoDialect::kInput,
            Builder(module.getContext()).getI64IntegerAttr(*its.largest));
  }
}
