//===- WindowProducts.cpp - Sums of products of bytes, lane by lane -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A depthwise convolution multiplies each element of a window by a weight of
// its own channel, so that both factors are vectors of channels. `vpdpbusd`
// adds four products to a lane: those of four places of the window, whose
// vectors are interleaved. Windows beside each other read the same vectors, so
// that those which the same sums use come together: of a window of three rows,
// the vectors of a column, which three windows share.
//
//===----------------------------------------------------------------------===//

#include "DotProducts.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <map>
#include <set>

#define DEBUG_TYPE "baco-dot-products"

using namespace mlir;
using namespace baco::target;

/// An instruction adds so many products to a lane; sums of fewer than these
/// don't pay.
static constexpr size_t numTerms = 4, minProducts = 3;

namespace {
/// (data - zero) times weight, lane by lane.
struct WindowProduct {
  Factor data, weight;
  int64_t zero = 0;

  /// Whether one instruction can add both.
  bool isLike(const WindowProduct &other) const {
    return data.isSigned == other.data.isSigned &&
           weight.isSigned == other.weight.isSigned && zero == other.zero &&
           data.value.getType() == other.data.value.getType();
  }

  /// `vpdpbusd` wants a signed and an unsigned factor: data become unsigned by
  /// adding 128.
  bool flipsData() const { return data.isSigned && weight.isSigned; }
  /// A number that, times the weights, the products have too much.
  int64_t offset() const { return flipsData() ? zero + 128 : zero; }

  bool isSupported() const {
    // The offset is a factor of the weights, too, and has the other sign.
    int64_t least = weight.isSigned ? 0 : -128;
    return (data.isSigned || weight.isSigned) && offset() >= least &&
           offset() < least + 256;
  }
};

struct WindowSum {
  SmallVector<WindowProduct> products;
  /// The products are added to it; null: to nothing.
  Value rest;
  /// The additions, the last one first.
  SmallVector<Operation *> parts;
};

/// At most as many products as an instruction adds.
using WindowGroup = SmallVector<WindowProduct, numTerms>;
/// The groups of each sum of a block.
using WindowGroups = SmallVector<SmallVector<WindowGroup>>;

/// Replaces the sums of one block.
class BlockWindows {
public:
  BlockWindows(ArrayRef<WindowSum> sums, SetVector<Operation *> &replaced)
      : sums(sums), replaced(replaced),
        block(sums.front().parts[0]->getBlock()),
        builder(sums.front().parts[0]->getLoc(),
                block->getParent()->getContext()) {}

  void replace();

private:
  WindowGroups groupInOrder() const;
  WindowGroups groupByUsers() const;
  Value interleaveBytes(ArrayRef<Value> vectors, bool flips);
  /// Minus the offset times the weights.
  Value negatedExcess(ArrayRef<Value> weights, const WindowProduct &like,
                      Type type);
  void replaceSum(const WindowSum &sum, ArrayRef<WindowGroup> groups);

  ArrayRef<WindowSum> sums;
  SetVector<Operation *> &replaced;
  Block *block;
  ImplicitLocOpBuilder builder;
  // By the vectors, and 1 where their signs are flipped; by interleaved weights
  // and the offset.
  DenseMap<std::pair<SmallVector<Value>, int>, Value> interleaved;
  DenseMap<std::pair<SmallVector<Value>, int64_t>, Value> excesses;
};
} // namespace

static std::optional<WindowProduct> matchWindowProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product || !isa<VectorType>(product.getType()))
    return std::nullopt;
  // A factor with a zero point is what the layer before has computed; without
  // one, either may be the data, as long as all products agree.
  Value data = product.getLhs(), weight = product.getRhs();
  if (weight.getDefiningOp<arith::SubIOp>())
    std::swap(data, weight);
  WindowProduct result;
  result.zero = takeZeroPoint(data);
  std::optional<Factor> left = matchFactor(data), right = matchFactor(weight);
  if (!left || !right ||
      !getElementTypeOrSelf(left->value.getType()).isInteger(8) ||
      left->value.getType() != right->value.getType())
    return std::nullopt;
  result.data = *left;
  result.weight = *right;
  return result.isSupported() ? std::optional(result) : std::nullopt;
}

/// The sum that `last` ends, as far as products reach.
static WindowSum matchWindowSum(arith::AddIOp last) {
  WindowSum sum;
  auto isPart = [&](const std::optional<WindowProduct> &product) {
    return product &&
           (sum.products.empty() || product->isLike(sum.products.front()));
  };
  for (arith::AddIOp add = last; add && (add == last || add->hasOneUse());
       add = sum.rest.getDefiningOp<arith::AddIOp>()) {
    Value rest = add.getLhs();
    std::optional<WindowProduct> product = matchWindowProduct(add.getRhs());
    if (!isPart(product)) {
      product = matchWindowProduct(add.getLhs());
      rest = add.getRhs();
    }
    if (!isPart(product))
      break;
    sum.products.push_back(*product);
    sum.parts.push_back(add);
    sum.rest = rest;
  }
  // The first of all may be added to nothing.
  if (!sum.products.empty())
    if (std::optional<WindowProduct> first = matchWindowProduct(sum.rest);
        isPart(first)) {
      sum.products.push_back(*first);
      sum.rest = {};
    }
  std::reverse(sum.products.begin(), sum.products.end());
  return sum;
}

static void appendChunks(ArrayRef<WindowProduct> products,
                         SmallVector<WindowGroup> &groups) {
  for (; !products.empty();
       products = products.drop_front(std::min(numTerms, products.size())))
    groups.emplace_back(products.take_front(numTerms));
}

WindowGroups BlockWindows::groupInOrder() const {
  WindowGroups groups(sums.size());
  for (auto [sum, own] : llvm::zip_equal(sums, groups))
    appendChunks(sum.products, own);
  return groups;
}

/// Vectors of data that the same sums use are in one group, in the same order.
WindowGroups BlockWindows::groupByUsers() const {
  // Numbers of sums, not their addresses, say which class comes first.
  llvm::MapVector<Value, std::vector<unsigned>> users;
  for (auto [number, sum] : llvm::enumerate(sums))
    for (const WindowProduct &product : sum.products)
      users[product.data.value].push_back(number);
  WindowGroups groups(sums.size());
  for (auto [sum, own] : llvm::zip_equal(sums, groups)) {
    std::map<std::vector<unsigned>, SmallVector<WindowProduct>> classes;
    for (const WindowProduct &product : sum.products)
      classes[users[product.data.value]].push_back(product);
    for (auto &[key, products] : classes) {
      llvm::sort(products, [&](const WindowProduct &a, const WindowProduct &b) {
        return users.find(a.data.value) < users.find(b.data.value);
      });
      appendChunks(products, own);
    }
  }
  return groups;
}

/// The operations on registers, in interleavings of two: bringing data
/// together takes about twice as many as adding products.
static size_t costOf(const WindowGroups &groups) {
  std::set<std::vector<void *>> data;
  size_t numGroups = 0;
  for (const SmallVector<WindowGroup> &own : groups) {
    numGroups += own.size();
    for (const WindowGroup &group : own) {
      std::vector<void *> key;
      for (const WindowProduct &product : group)
        key.push_back(product.data.value.getAsOpaquePointer());
      data.insert(std::move(key));
    }
  }
  return 2 * data.size() + numGroups;
}

Value BlockWindows::interleaveBytes(ArrayRef<Value> vectors, bool flips) {
  Value &result = interleaved[{SmallVector<Value>(vectors), int(flips)}];
  if (result)
    return result;
  OpBuilder::InsertionGuard guard(builder);
  insertBehind(builder, vectors, block);
  auto type = cast<VectorType>(vectors.front().getType());
  int64_t lanes = type.getNumElements();
  SmallVector<Value> all(vectors);
  if (flips)
    // Before they are interleaved, which makes four registers of three.
    for (Value &vector : all)
      vector =
          arith::XOrIOp::create(builder, vector, splat(builder, 128, type));
  // Three take the same two steps as four; weights of zero make what stands
  // beside the data irrelevant.
  if (all.size() == numTerms - 1)
    all.push_back(splat(builder, 0, type));
  result = all.size() == 1 ? all.front() : interleave(builder, all);
  if (all.size() == numTerms)
    return result;
  // Zeros beside what doesn't fill a lane.
  auto typeOf = [&](int64_t count, int64_t bits) {
    return VectorType::get(count, builder.getIntegerType(bits));
  };
  if (all.size() == 2)
    result = vector::BitCastOp::create(builder, typeOf(lanes, 16), result);
  result = arith::ExtUIOp::create(builder, typeOf(lanes, 32), result);
  return result = vector::BitCastOp::create(
             builder, typeOf(lanes * int64_t(numTerms), 8), result);
}

Value BlockWindows::negatedExcess(ArrayRef<Value> weights,
                                  const WindowProduct &like, Type type) {
  Value &result = excesses[{SmallVector<Value>(weights), like.offset()}];
  if (result)
    return result;
  OpBuilder::InsertionGuard guard(builder);
  insertBehind(builder, weights, block);
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type)),
        excess = zero;
  for (Value each : weights) {
    Value left =
              splat(builder, like.offset(), cast<VectorType>(each.getType())),
          right = each;
    if (!like.weight.isSigned)
      std::swap(left, right);
    excess = addProducts(builder, excess, left, right, dotProductOfBytes);
  }
  return result = arith::SubIOp::create(builder, zero, excess);
}

void BlockWindows::replaceSum(const WindowSum &sum,
                              ArrayRef<WindowGroup> groups) {
  Operation *last = sum.parts.front();
  builder.setLoc(last->getLoc());
  builder.setInsertionPoint(last);
  const WindowProduct &like = sum.products.front();
  SmallVector<Value> data, weights;
  for (const WindowGroup &group : groups) {
    auto valuesOf = [&](Factor WindowProduct::*factor) {
      return llvm::map_to_vector(group, [&](const WindowProduct &product) {
        return (product.*factor).value;
      });
    };
    data.push_back(
        interleaveBytes(valuesOf(&WindowProduct::data), like.flipsData()));
    weights.push_back(
        interleaveBytes(valuesOf(&WindowProduct::weight), /*flips=*/false));
  }
  Type type = last->getResult(0).getType();
  Value result = sum.rest;
  // Sums begin with it, so that it costs windows no further instruction.
  if (like.offset() != 0) {
    Value negated = negatedExcess(weights, like, type);
    result = result ? arith::AddIOp::create(builder, result, negated) : negated;
  } else if (!result) {
    result = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  }
  // Exactly one of the two is signed now.
  bool isDataUnsigned = like.weight.isSigned;
  for (auto [left, right] : llvm::zip_equal(data, weights))
    result = addProducts(builder, result, isDataUnsigned ? left : right,
                         isDataUnsigned ? right : left, dotProductOfBytes);
  last->getResult(0).replaceAllUsesWith(result);
  replaced.insert_range(sum.parts);
}

void BlockWindows::replace() {
  WindowGroups groups = groupInOrder(), shared = groupByUsers();
  // Few vectors have the same users where several rows of windows are unrolled,
  // and groups of them would be almost empty.
  if (costOf(shared) <= costOf(groups))
    groups = std::move(shared);
  for (auto [sum, own] : llvm::zip_equal(sums, groups)) {
    LDBG() << sum.parts.front()->getLoc() << ": " << sum.products.size()
           << " products of vectors in " << own.size() << " instructions";
    replaceSum(sum, own);
  }
}

void baco::target::replaceWindowSums(func::FuncOp function) {
  llvm::MapVector<Block *, SmallVector<WindowSum>> sums;
  DenseSet<Operation *> known;
  SmallVector<arith::AddIOp> adds;
  function.walk([&](arith::AddIOp add) {
    if (isOfRegisters(add))
      adds.push_back(add);
  });
  // Parts of a sum come before the whole.
  for (arith::AddIOp add : llvm::reverse(adds)) {
    if (known.contains(add))
      continue;
    WindowSum sum = matchWindowSum(add);
    if (sum.products.size() < minProducts)
      continue;
    known.insert_range(sum.parts);
    sums[add->getBlock()].push_back(std::move(sum));
  }
  SetVector<Operation *> replaced;
  for (auto &[block, own] : sums)
    BlockWindows(own, replaced).replace();
  baco::eraseDead(std::move(replaced));
}
