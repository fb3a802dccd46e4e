//===- SparsifierOptions.cpp - How loops over sparse tensors are made -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using baco::SparsifierOptions;

bool baco::isSparsifierOption(StringRef name) {
  return name == kSparseVectorLength || name == kSparseSimd32 ||
         name == kSparsePeel || name == kSparseFactor ||
         name == kSparseParallel || name == kSparseUnroll;
}

llvm::Expected<SparsifierOptions> SparsifierOptions::read(Operation *function) {
  SparsifierOptions options;
  if (llvm::Error error = readNumber(function, kSparseVectorLength,
                                     longestVector, options.vectorLength))
    return error;
  if (llvm::Error error =
          readNumber(function, kSparseUnroll, largestUnroll, options.unroll))
    return error;
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
