//===- SparsifierOptions.cpp - How loops over sparse tensors are made -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/SparsifierOptions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using baco::SparsifierOptions;

bool baco::isSparsifierOption(StringRef name) {
  return name == kSparseVectorLength || name == kSparseSimd32 ||
         name == kSparsePeel || name == kSparseFactor ||
         name == kSparseParallel;
}

llvm::Expected<SparsifierOptions> SparsifierOptions::read(Operation *function) {
  SparsifierOptions options;
  if (Attribute attribute = function->getAttr(kSparseVectorLength)) {
    auto length = dyn_cast<IntegerAttr>(attribute);
    if (!length || !length.getType().isInteger(64) || length.getInt() < 0 ||
        length.getInt() > longestVector)
      return llvm::createStringError("'" + kSparseVectorLength +
                                     "' must be an i64 from 0 to " +
                                     llvm::Twine(longestVector));
    options.vectorLength = length.getInt();
  }
  for (auto [name, option] : {std::pair(kSparseSimd32, &options.simd32),
                              {kSparsePeel, &options.peel},
                              {kSparseFactor, &options.factor}}) {
    Attribute attribute = function->getAttr(name);
    if (attribute && !isa<UnitAttr>(attribute))
      return llvm::createStringError("'" + name + "' must be a unit attribute");
    *option = attribute != nullptr;
  }
  if (Attribute attribute = function->getAttr(kSparseParallel)) {
    auto name = dyn_cast<StringAttr>(attribute);
    auto parallel =
        llvm::StringSwitch<std::optional<Parallel>>(name ? name.getValue() : "")
            .Case("none", Parallel::None)
            .Case("dense-outer-loop", Parallel::DenseOuterLoop)
            .Case("any-storage-outer-loop", Parallel::AnyStorageOuterLoop)
            .Default(std::nullopt);
    if (!parallel)
      return llvm::createStringError(
          "'" + kSparseParallel +
          "' must be \"none\", \"dense-outer-loop\" or "
          "\"any-storage-outer-loop\"");
    options.parallel = *parallel;
  }
  return options;
}
