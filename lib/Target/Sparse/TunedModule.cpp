//===- TunedModule.cpp - A payload with its schedule applied --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over upstream's interpreter of the transform dialect.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedModule.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"
#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-apply-schedule"

using namespace mlir;

/// Removes what is baco's, but for `kept` and what says how a function is
/// lowered and compiled.
static void removeOwn(Operation *root, ArrayRef<StringRef> kept = {}) {
  root->walk([&](Operation *op) {
    SmallVector<StringAttr> own;
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (StringRef name = attribute.getName();
          name.starts_with("baco.") && !llvm::is_contained(kept, name) &&
          name != baco::BacoDialect::kTargetOptions &&
          name != baco::kCopyBuffer && !baco::isSparsifierOption(name) &&
          !baco::isTeamOption(name))
        own.push_back(attribute.getName());
    // Removing changes the list that the loop above goes over.
    for (StringAttr name : own)
      op->removeDiscardableAttr(name);
  });
}

void baco::target::removeOwnAttributes(Operation *root) { removeOwn(root); }

/// Sets the target options of `sequence` on `kernel`, replacing its own.
static void addTargetOptions(Operation *sequence, Operation *kernel) {
  StringRef name = baco::BacoDialect::kTargetOptions;
  auto added = sequence->getAttrOfType<DictionaryAttr>(name);
  if (!added || !kernel)
    return;
  NamedAttrList options;
  if (auto own = kernel->getAttrOfType<DictionaryAttr>(name))
    options.assign(own.getValue());
  for (NamedAttribute option : added)
    options.set(option.getName(), option.getValue());
  kernel->setAttr(name, options.getDictionary(kernel->getContext()));
}

LogicalResult baco::target::applySchedule(ModuleOp payload, ModuleOp schedule,
                                          StringRef sequence, StringRef kernel,
                                          bool isForFunction) {
  Operation *entry = transform::detail::findTransformEntryPoint(
      schedule, /*module=*/nullptr, sequence);
  if (!entry)
    return failure();
  LDBG() << "applies '@" << sequence << "' for '" << kernel << "'";
  // The schedule, or that of another kernel, reads what ops may do.
  removeOwn(payload, {baco::BacoDialect::kTF32});
  // The interpreter's expensive checks stay on (1 ms for a matmul): without
  // them a schedule that uses an invalidated handle crashes instead of failing.
  llvm::StringSet<> globals = namesOfGlobals(payload);
  Operation *root =
      isForFunction ? SymbolTable::lookupSymbolIn(payload, kernel) : payload;
  if (failed(transform::applyTransformNamedSequence(
          root, entry, schedule, transform::TransformOptions())))
    return failure();
  orderBufferGlobals(payload, globals);
  if (!kernel.empty())
    addTargetOptions(entry, SymbolTable::lookupSymbolIn(payload, kernel));
  return verify(payload);
}
