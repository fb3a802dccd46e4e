//===- KernelAddresses.cpp - Addresses in GPU kernels ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAddresses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// `index` without its constant part, which is added to `distance`, times
/// `factor`; null if that is all.
static Value stripConstant(OpBuilder &builder, Value index, int64_t factor,
                           int64_t &distance) {
  APInt number;
  int64_t before = distance;
  if (matchPattern(index, m_ConstantInt(&number))) {
    distance += factor * number.getSExtValue();
    return {};
  }
  if (auto sum = index.getDefiningOp<LLVM::AddOp>()) {
    Value a = stripConstant(builder, sum.getLhs(), factor, distance),
          b = stripConstant(builder, sum.getRhs(), factor, distance);
    if (!a || !b)
      return a ? a : b;
    return distance == before
               ? index
               : LLVM::AddOp::create(builder, sum.getLoc(), a, b).getResult();
  }
  if (auto product = index.getDefiningOp<LLVM::MulOp>();
      product && matchPattern(product.getRhs(), m_ConstantInt(&number))) {
    Value a = stripConstant(builder, product.getLhs(),
                            factor * number.getSExtValue(), distance);
    return !a || distance == before
               ? a ? index : Value()
               : LLVM::MulOp::create(builder, product.getLoc(), a,
                                     product.getRhs())
                     .getResult();
  }
  return index;
}

/// Makes the constant part of an index a distance from an address that accesses
/// share: `(i + 2) * 997 + j` as `(i * 997 + j) + 1994`. LLVM doesn't where
/// `i + 2` has other uses, such as comparisons with bounds. PTX has such
/// distances in the access itself.
static void splitAddress(LLVM::GEPOp address) {
  if (address.getIndices().size() != 1 ||
      address.getDynamicIndices().size() != 1 ||
      !address.getDynamicIndices()[0].getType().isInteger(64))
    return;
  OpBuilder builder(address);
  int64_t distance = 0;
  Value index = stripConstant(builder, address.getDynamicIndices()[0],
                              /*factor=*/1, distance);
  if (distance == 0)
    return;
  auto advance = [&](Value base, Value by) -> Value {
    return LLVM::GEPOp::create(builder, address.getLoc(), address.getType(),
                               address.getElemType(), base, by);
  };
  Value base = address.getBase();
  if (index)
    base = advance(base, index);
  address.replaceAllUsesWith(
      advance(base, LLVM::ConstantOp::create(builder, address.getLoc(),
                                             builder.getI64Type(), distance)));
  address.erase();
}

void baco::target::splitAddresses(gpu::GPUModuleOp kernels) {
  SmallVector<LLVM::GEPOp> addresses;
  kernels.walk([&](LLVM::GEPOp address) { addresses.push_back(address); });
  for (LLVM::GEPOp address : addresses)
    splitAddress(address);
}

/// Accesses are of at most 16 bytes, for which more zeros don't count.
static constexpr unsigned maxZeros = 4;

static unsigned countZeros(uint64_t value) {
  return std::min<unsigned>(maxZeros, llvm::countr_zero(value));
}

namespace {
/// How many of the lowest bits of values are certainly zero. LLVM's known bits
/// give up behind six operations, which addresses of tiles in tiles have.
class LowestBits {
public:
  unsigned zerosOf(Value value) {
    if (auto known = zeros.find(value); known != zeros.end())
      return known->second;
    unsigned count = std::min(maxZeros, compute(value));
    return zeros[value] = count;
  }

private:
  unsigned fewest(ValueRange values) {
    unsigned count = maxZeros;
    for (Value value : values)
      count = std::min(count, zerosOf(value));
    return count;
  }

  static unsigned ofArgument(BlockArgument argument) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    // Arguments of other blocks may change in loops.
    if (!function || !argument.getOwner()->isEntryBlock())
      return 0;
    auto alignment = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    return alignment ? countZeros(alignment.getInt()) : 0;
  }

  unsigned ofAddress(LLVM::GEPOp address) {
    if (address.getIndices().size() != 1)
      return 0;
    uint64_t bytes =
        DataLayout::closest(address).getTypeSize(address.getElemType());
    unsigned ofIndex = address.getDynamicIndices().empty()
                           ? countZeros(static_cast<uint64_t>(
                                 address.getRawConstantIndices()[0]))
                           : zerosOf(address.getDynamicIndices().front());
    return std::min(zerosOf(address.getBase()), countZeros(bytes) + ofIndex);
  }

  static unsigned ofGlobal(LLVM::AddressOfOp address) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
        address, address.getGlobalNameAttr());
    std::optional<uint64_t> alignment =
        global ? global.getAlignment() : std::nullopt;
    return alignment ? countZeros(*alignment) : 0;
  }

  unsigned compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofArgument(argument);
    Operation *op = value.getDefiningOp();
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.isZero() ? maxZeros : number.countr_zero();
    return llvm::TypeSwitch<Operation *, unsigned>(op)
        .Case([&](LLVM::GEPOp address) { return ofAddress(address); })
        .Case([](LLVM::AddressOfOp address) { return ofGlobal(address); })
        .Case<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp, LLVM::URemOp,
              LLVM::AddrSpaceCastOp, LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp>(
            [&](Operation *op) { return fewest(op->getOperands()); })
        // Factors of two add up.
        .Case<LLVM::MulOp>([&](LLVM::MulOp product) {
          return zerosOf(product.getLhs()) + zerosOf(product.getRhs());
        })
        .Case<LLVM::ShlOp>([&](LLVM::ShlOp shift) {
          return matchPattern(shift.getRhs(), m_ConstantInt(&number))
                     ? zerosOf(shift.getLhs()) +
                           static_cast<unsigned>(
                               number.getLimitedValue(maxZeros))
                     : zerosOf(shift.getLhs());
        })
        // A mask clears bits of either side.
        .Case<LLVM::AndOp>([&](LLVM::AndOp both) {
          return std::max(zerosOf(both.getLhs()), zerosOf(both.getRhs()));
        })
        .Default([](Operation *) { return 0u; });
  }

  llvm::DenseMap<Value, unsigned> zeros;
};
} // namespace

void baco::target::alignVectors(gpu::GPUModuleOp kernels) {
  LowestBits bits;
  Builder builder(kernels.getContext());
  auto align = [&](auto access, Type type) {
    if (!isa<VectorType>(type))
      return;
    auto alignment = uint64_t{1} << bits.zerosOf(access.getAddr());
    if (alignment > access.getAlignment().value_or(1))
      access.setAlignment(alignment);
  };
  kernels.walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      align(load, load.getType());
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      align(store, store.getValue().getType());
  });
}
