//===- WorkDetails.cpp - A kernel's work and its bound --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace baco;
using namespace baco::driver;

/// Whether an integer is one of at most 8 bits, perhaps less a zero point.
static bool isByte(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::SubIOp>(op))
    return isByte(op->getOperand(0));
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
         op->getOperand(0).getType().getIntOrFloatBitWidth() <= 8;
}

static bool multipliesBytesOnly(Operation *op) {
  return !contains(op, [](Operation *inner) {
    return isa<arith::MulIOp>(inner) &&
           !llvm::all_of(inner->getOperands(), isByte);
  });
}

/// The operations per second on the function's floats as a share of those on
/// f32: nullopt if it computes in a type whose rate isn't measured.
static std::optional<double> shareOfRate(func::FuncOp function) {
  bool hasF64 = false;
  WalkResult walked = function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      if (!isa<FloatType>(element))
        continue;
      hasF64 |= element.isF64();
      if (!element.isF64() && !element.isF32())
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  constexpr double f64Share = 0.5;
  return hasF64 ? f64Share : 1.0;
}

/// The bytes of all arguments; nullopt if some are sparse, as the formats
/// decide how many bytes they take.
static std::optional<double> bytesOf(const runtime::Signature &signature) {
  double bytes = 0;
  for (const runtime::Argument &argument : signature.arguments) {
    if (argument.isSparse)
      return std::nullopt;
    bytes += static_cast<double>(argument.byteSize());
  }
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

/// The operations per second that no code for the function exceeds.
static std::optional<double> findRate(func::FuncOp function,
                                      bool countsIntegers,
                                      const runtime::MachineRates &rates) {
  // Operations on floats beside the sums take longer.
  if (countsIntegers) {
    bool isBytes = !contains(function, [](Operation *op) {
      return sumsIntegers(op) && !multipliesBytesOnly(op);
    });
    return isBytes ? std::optional(rates.byteOpsPerS) : std::nullopt;
  }
  if (std::optional<double> share = shareOfRate(function))
    return *share * rates.flopsPerS;
  return std::nullopt;
}

static std::optional<double> ifPositive(double rate) {
  return std::isfinite(rate) && rate > 0 ? std::optional(rate) : std::nullopt;
}

database::KernelDetails
driver::detailsOf(func::FuncOp function, const runtime::Signature &signature,
                  std::optional<double> flops,
                  const finals::FinalComparisonResult &finals,
                  std::optional<uint64_t> defaultTrial) {
  database::KernelDetails details;
  details.flops = flops;
  details.bytes = bytesOf(signature);
  runtime::MachineRates rates;
  const std::vector<runtime::Samples> &samples = finals.comparison.finalists;
  for (const runtime::Samples &one : samples)
    if (one.rates.flopsPerS > 0 &&
        (rates.flopsPerS == 0 || one.rates.threads > rates.threads))
      rates = one.rates;
  details.countsIntegers = contains(function, sumsIntegers);
  details.flopsPerS =
      ifPositive(findRate(function, details.countsIntegers, rates).value_or(0));
  details.bytesPerS = ifPositive(rates.bytesPerS);
  details.threads = std::max(1, rates.threads);
  const database::Final &final = finals.final;
  for (auto [finalist, one] : llvm::zip(final.finalists, samples)) {
    bool isShown = finalist.trial == final.winner ||
                   (finalist.trial && finalist.trial == defaultTrial);
    if (isShown && (!one.listing.empty() || one.shares))
      details.listings.push_back({finalist.trial, one.listing, one.shares});
  }
  return details;
}
