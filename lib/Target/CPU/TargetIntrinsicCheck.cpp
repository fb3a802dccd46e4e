//===- TargetIntrinsicCheck.cpp - Operations of other machines ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace baco::target;

// Operands and results of such an op may be casts, which can't be translated
// either.
Operation *baco::target::findUntranslatable(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    if (dialect &&
        dialect->getRegisteredInterface<LLVMTranslationDialectInterface>())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Whether an intrinsic is for machines of another kind. The names of those of
/// a back end begin with its name.
static bool isForeign(StringRef name, const llvm::Triple &triple) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic ||
      !llvm::Intrinsic::isTargetIntrinsic(id))
    return false;
  name.consume_front("llvm.");
  // The prefix is that of a family: x86 for x86_64, too.
  return name.split('.').first !=
         llvm::Triple::getArchTypePrefix(triple.getArch());
}

static LogicalResult reportForeign(Operation *op, StringRef intrinsic,
                                   const llvm::Triple &triple) {
  return emitError(op->getLoc())
         << "'" << op->getName() << "' is LLVM's intrinsic '" << intrinsic
         << "', which " << triple.getArchName()
         << " doesn't have; replace it by ops of arith, math or vector";
}

LogicalResult baco::target::checkCalledIntrinsics(Operation *root,
                                                  const llvm::Triple &triple) {
  WalkResult result = root->walk([&](LLVM::CallIntrinsicOp call) {
    if (!isForeign(call.getIntrin(), triple))
      return WalkResult::advance();
    return WalkResult(reportForeign(call, call.getIntrin(), triple));
  });
  return failure(result.wasInterrupted());
}

LogicalResult baco::target::checkIntrinsics(ModuleOp module,
                                            const llvm::Module &code,
                                            const llvm::Triple &triple) {
  auto foreign = llvm::find_if(code, [&](const llvm::Function &function) {
    return isForeign(function.getName(), triple);
  });
  if (foreign == code.end())
    return success();
  if (failed(checkCalledIntrinsics(module, triple)))
    return failure();
  // The intrinsic comes from an op of its own: that of a dialect for these
  // machines.
  Operation *found = module;
  module.walk([&](Operation *op) {
    if (isa<LLVM::LLVMDialect, BuiltinDialect>(op->getDialect()))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return reportForeign(found, foreign->getName(), triple);
}
