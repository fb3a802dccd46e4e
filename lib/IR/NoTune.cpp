//===- NoTune.cpp - Functions that aren't tuned ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/NoTune.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace baco;

bool baco::isNoTune(Operation *function) {
  return function->hasAttr(BacoDialect::kNoTune) ||
         function->hasAttr(BacoDialect::kKeep);
}

void baco::markNoTune(Operation *function) {
  function->setDiscardableAttr(BacoDialect::kNoTune,
                               UnitAttr::get(function->getContext()));
}

bool baco::unmarkNoTune(Operation *function) {
  // Both may be there: neither removal may be left out.
  bool isOld = bool(function->removeDiscardableAttr(BacoDialect::kKeep));
  return bool(function->removeDiscardableAttr(BacoDialect::kNoTune)) || isOld;
}
