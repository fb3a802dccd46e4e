//===- IntegerRanges.cpp - Ranges of integer arguments --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks from each divisor, shift amount and index back to its operands.
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"
#include "ValueSources.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using baco::runtime::Argument;
using baco::runtime::IntegerRange;
using baco::runtime::Signature;
using baco::target::ValueSources;

/// Restricts `argument`, if it has integers, to `range`.
static void restrict(Argument &argument, const IntegerRange &range) {
  if (baco::runtime::isFloat(argument.type) ||
      argument.type == baco::runtime::ElementType::I1)
    return;
  IntegerRange all = baco::runtime::rangeOf(argument.type);
  const IntegerRange &known = argument.range.value_or(all);
  IntegerRange both = {std::max(known.least, range.least),
                       std::min(known.greatest, range.greatest)};
  both.isUniform = range.isUniform || known.isUniform;
  if (both.least <= both.greatest)
    argument.range = both;
}

/// Restricts the arguments among `sources` to `range`, or of these only the
/// `elements` of memrefs.
static void restrictSources(func::FuncOp kernel, const ValueSources &sources,
                            const IntegerRange &range, Signature &signature,
                            bool elements = false) {
  for (auto [value, argument] :
       llvm::zip_equal(kernel.getArguments(), signature.arguments))
    if (sources.values.contains(value) && (argument.isMemRef || !elements))
      restrict(argument, range);
}

static void restrictSources(func::FuncOp kernel, Value number,
                            const IntegerRange &range, Signature &signature) {
  ValueSources sources(/*isSame=*/false);
  sources.add(number);
  restrictSources(kernel, sources, range, signature);
}

/// Restricts values that are loaded from memory and used as an index to the
/// extents that they index. Scalars are chosen by readScalars.
static void restrictIndices(func::FuncOp kernel, Signature &signature) {
  std::map<int64_t, ValueSources> byExtent;
  auto add = [&](MemRefType type, ValueRange indices) {
    for (auto [extent, index] : llvm::zip(type.getShape(), indices))
      if (ShapedType::isStatic(extent) && extent > 0)
        byExtent.try_emplace(extent, /*isSame=*/true).first->second.add(index);
  };
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      add(load.getMemRefType(), load.getIndices());
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      add(store.getMemRefType(), store.getIndices());
  });
  for (const auto &[extent, sources] : byExtent)
    restrictSources(kernel, sources, {0, extent - 1, /*isUniform=*/true},
                    signature, /*elements=*/true);
}

/// Restricts `argument` to the range that `baco.input` gives. If that excludes
/// values for which the kernel seems to be defined, the user knows better.
static void restrictAsGiven(func::FuncOp kernel, unsigned number,
                            Argument &argument) {
  Attribute attribute = kernel.getArgAttr(number, baco::BacoDialect::kInput);
  if (!attribute || baco::runtime::isFloat(argument.type))
    return;
  auto input =
      baco::ArgumentInput::read(kernel.getArgumentTypes()[number], attribute);
  // kernelSignature has read it before.
  if (!input)
    return llvm::consumeError(input.takeError());
  using Kind = baco::ArgumentInput::Kind;
  if (input->kind != Kind::Range && input->kind != Kind::Uniform)
    return;
  IntegerRange range = {input->least, input->greatest,
                        input->kind == Kind::Uniform};
  restrict(argument, range);
  if (argument.range && (argument.range->least > range.greatest ||
                         argument.range->greatest < range.least))
    argument.range = range;
}

bool baco::target::isIntegerDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

void baco::target::readIntegerRanges(func::FuncOp kernel,
                                     Signature &signature) {
  restrictIndices(kernel, signature);
  kernel.walk([&](Operation *op) {
    if (isIntegerDivision(op)) {
      constexpr int64_t greatest = std::numeric_limits<int64_t>::max();
      restrictSources(kernel, op->getOperand(1), {1, greatest}, signature);
    } else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
      Type type = getElementTypeOrSelf(op->getOperand(1).getType());
      int64_t width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                     : type.getIntOrFloatBitWidth();
      restrictSources(kernel, op->getOperand(1), {0, width - 1}, signature);
    }
  });
  for (auto [i, argument] : llvm::enumerate(signature.arguments))
    restrictAsGiven(kernel, i, argument);
}
