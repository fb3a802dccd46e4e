//===- DotProducts.cpp - Sums of several narrow products at a time --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86 multiplies neighbors of two vectors, and adds the products of as many as
// fill 32 bits to the sum in a lane. In an unrolled reduction one factor of
// each product is a vector, and the other a scalar. The vectors of as many
// steps are interleaved, once for all rows that use them, and the scalars,
// which are neighbors in memory, fill a lane together. Where steps don't fill
// an instruction, lanes of zeros take the place of those that are missing.
//
// `vpdpbusd` multiplies unsigned bytes by signed ones. Where both are signed, a
// scalar x becomes the unsigned x + 128, and 128 times the vectors are
// subtracted at the end. Integers wrap around on the way, so results are the
// same bits.
//
//===----------------------------------------------------------------------===//

#include "DotProducts.h"

#include "InterleavedConstants.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/TargetOptions.h"
#include "baco/IR/Walk.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-dot-products"

namespace baco::target {
#define GEN_PASS_DEF_DOTPRODUCTSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco::target;
using baco::TargetOptions;

/// The lanes of the largest register and of the smallest.
static constexpr int64_t maxLanes = 16, minLanes = 4;

namespace {
/// What a sum has too much: a number times the lanes.
struct ElementOffset {
  int64_t number;
  bool areLanesSigned;

  bool operator==(const ElementOffset &) const = default;
};

/// What sums of a loop have too much once it ends.
struct Excess {
  /// Vectors of an instruction each, interleaved.
  SmallVector<Value> lanes;
  ElementOffset offset;
  /// Numbers of the loop's results.
  SmallVector<unsigned> results;
};
} // namespace

ProductInstruction Product::instruction() const {
  if (isOfBytes())
    return {dotProductOfBytes, 4};
  return {"llvm.x86.avx512.vpdpwssd.", 2};
}

bool Product::isLike(const Product &other) const {
  return lanes.isSigned == other.lanes.isSigned &&
         scalar.isSigned == other.scalar.isSigned && zero == other.zero &&
         lanes.value.getType() == other.lanes.value.getType() &&
         Value(lanes.value).getParentBlock() ==
             Value(other.lanes.value).getParentBlock();
}

int64_t Product::offset() const {
  if (!flipsScalar())
    return zero;
  return scalar.isSigned ? zero + 128 : zero - 128;
}

bool Product::isSupported() const {
  if (!isOfBytes())
    return lanes.isSigned && scalar.isSigned && zero == 0 &&
           scalar.value.getType() == element();
  // The offset is a factor of the lanes, too.
  return scalar.value.getType() == element() &&
         (lanes.isSigned ? 0 <= offset() && offset() < 256
                         : -128 <= offset() && offset() < 128);
}

std::optional<Factor> baco::target::matchFactor(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op))
    return std::nullopt;
  Type element = getElementTypeOrSelf(op->getOperand(0));
  if (!element.isInteger(8) && !element.isInteger(16))
    return std::nullopt;
  return Factor{op->getOperand(0), isa<arith::ExtSIOp>(op)};
}

int64_t baco::target::takeZeroPoint(Value &number) {
  // One that isn't constant has no known range.
  APInt zero;
  auto difference = number.getDefiningOp<arith::SubIOp>();
  if (!difference || !matchPattern(difference.getRhs(), m_ConstantInt(&zero)))
    return 0;
  number = difference.getLhs();
  return zero.getSExtValue();
}

/// `lanes` times `scalar`, which is broadcast.
static std::optional<Product> matchProduct(Value lanes, Value scalar) {
  auto broadcast = scalar.getDefiningOp<vector::BroadcastOp>();
  std::optional<Factor> left = matchFactor(lanes);
  if (!broadcast || !left || isa<VectorType>(broadcast.getSourceType()))
    return std::nullopt;
  Product product{*left, {}, 0};
  Value number = broadcast.getSource();
  product.zero = takeZeroPoint(number);
  std::optional<Factor> right = matchFactor(number);
  if (!right)
    return std::nullopt;
  product.scalar = *right;
  return product.isSupported() ? std::optional(product) : std::nullopt;
}

static std::optional<Product> matchProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product)
    return std::nullopt;
  if (auto found = matchProduct(product.getLhs(), product.getRhs()))
    return found;
  return matchProduct(product.getRhs(), product.getLhs());
}

ProductSum baco::target::matchSum(arith::AddIOp last) {
  // The last one comes first.
  ProductSum found{last.getResult(), {}, {}};
  for (arith::AddIOp add = last; add && (add == last || add->hasOneUse());
       add = found.start.getDefiningOp<arith::AddIOp>()) {
    // Sums of products have the product on either side.
    Value rest = add.getLhs();
    std::optional<Product> product = matchProduct(add.getRhs());
    if (!product) {
      product = matchProduct(add.getLhs());
      rest = add.getRhs();
    }
    if (!product ||
        (!found.products.empty() && !product->isLike(found.products.front())))
      break;
    found.products.push_back(*product);
    found.parts.push_back(add);
    found.start = rest;
  }
  std::reverse(found.products.begin(), found.products.end());
  std::reverse(found.parts.begin(), found.parts.end());
  return found;
}

bool baco::target::isOfRegisters(arith::AddIOp sum) {
  auto type = dyn_cast<VectorType>(sum.getType());
  return type && type.getRank() == 1 && !type.isScalable() &&
         type.getElementType().isInteger(32) &&
         type.getNumElements() % minLanes == 0;
}

namespace {
/// Replaces sums of one function.
class DotProducts {
public:
  explicit DotProducts(func::FuncOp function)
      : builder(function.getLoc(), function.getContext()),
        entry(&function.front()), constants(function) {}

  /// Replaces the sum that `last` ends, if it is one of enough products. Its
  /// parts must not have been replaced before.
  void replaceSum(arith::AddIOp last);
  /// Subtracts what is left to subtract, and erases what was replaced.
  void finish();

private:
  /// The products of an instruction, or fewer.
  using Terms = MutableArrayRef<Product>;

  /// The factors of the lanes, those of lane 0 first; zeros for missing terms.
  Value interleave(Terms terms);
  /// The scalars in each lane; zeros for missing terms.
  Value broadcast(Terms terms, VectorType type);
  /// A zero, or a vector of such, that all of the function can use.
  Value zeros(Type type);
  /// Adds the products to the lanes of `sum`.
  Value addTerms(Value sum, Value lanes, Value scalars, StringRef intrinsic,
                 bool areLanesSigned);
  Value addOffset(Value sum, Value lanes, const ElementOffset &offset);
  /// `sum` without `offset` times the lanes.
  Value subtractOffset(Value sum, ArrayRef<Value> lanes,
                       const ElementOffset &offset);
  /// Lets the same be subtracted from result `number` of `loop`.
  void subtractBehind(Operation *loop, unsigned number, ArrayRef<Value> lanes,
                      const ElementOffset &offset);
  /// The loop carries what its sums have too much as further values.
  void subtractExcesses(LoopLikeOpInterface loop, ArrayRef<Excess> parts);

  ImplicitLocOpBuilder builder;
  Block *entry;
  InterleavedConstants constants;
  DenseMap<std::tuple<Value, Value, Value, Value>, Value> interleaved;
  DenseMap<Type, Value> zerosOf;
  /// By the operation of the loop.
  llvm::MapVector<Operation *, SmallVector<Excess>> excesses;
  /// The sums that aren't needed any more, and parts of them.
  SetVector<Operation *> replaced;
};
} // namespace

Value DotProducts::zeros(Type type) {
  Value &result = zerosOf[type];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    result = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  }
  return result;
}

Value DotProducts::interleave(Terms terms) {
  SmallVector<Value> vectors = llvm::map_to_vector(
      terms, [](const Product &term) { return term.lanes.value; });
  if (int64_t count = terms.front().instruction().numTerms;
      count > int64_t(vectors.size()))
    vectors.resize(count, zeros(vectors.front().getType()));
  bool hasFour = vectors.size() == 4;
  Value &result =
      interleaved[{vectors[0], vectors[1], hasFour ? vectors[2] : Value(),
                   hasFour ? vectors[3] : Value()}];
  if (result)
    return result;
  OpBuilder::InsertionGuard guard(builder);
  // Other rows use the result, too.
  insertBehind(builder, vectors, vectors[0].getParentBlock());
  if (terms.front().isOfBytes())
    result = constants.load(builder, vectors);
  if (!result)
    result = baco::target::interleave(builder, vectors);
  return result;
}

void baco::target::insertBehind(OpBuilder &builder, ArrayRef<Value> values,
                                Block *user) {
  Block *block = Value(values.front()).getParentBlock();
  if (!llvm::all_of(
          values, [&](Value value) { return value.getParentBlock() == block; }))
    block = user;
  Operation *latest = nullptr;
  for (Value value : values)
    if (Operation *op = value.getDefiningOp();
        op && op->getBlock() == block &&
        (!latest || latest->isBeforeInBlock(op)))
      latest = op;
  if (latest)
    builder.setInsertionPointAfter(latest);
  else
    builder.setInsertionPointToStart(block);
}

Value baco::target::interleave(ImplicitLocOpBuilder &builder,
                               ArrayRef<Value> vectors) {
  auto zip = [&](Value a, Value b) -> Value {
    return vector::InterleaveOp::create(builder, a, b);
  };
  if (vectors.size() == 2)
    return zip(vectors[0], vectors[1]);
  // Each step brings those two together that are two apart, so that the last
  // one has them in their order.
  return zip(zip(vectors[0], vectors[2]), zip(vectors[1], vectors[3]));
}

Value baco::target::splat(ImplicitLocOpBuilder &builder, int64_t number,
                          VectorType type) {
  APInt bits(type.getElementTypeBitWidth(), number, /*isSigned=*/false,
             /*implicitTrunc=*/true);
  return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, bits));
}

Value DotProducts::broadcast(Terms terms, VectorType type) {
  SmallVector<Value> scalars = llvm::map_to_vector(
      terms, [](const Product &term) { return term.scalar.value; });
  if (int64_t count = terms.front().instruction().numTerms;
      count > int64_t(scalars.size()))
    scalars.resize(count, zeros(scalars.front().getType()));
  // LLVM makes one load of neighbors, and of its broadcast.
  Type i32 = builder.getI32Type();
  Value few = vector::FromElementsOp::create(
      builder, VectorType::get(scalars.size(), type.getElementType()), scalars);
  Value word = vector::ExtractOp::create(
      builder, vector::BitCastOp::create(builder, VectorType::get(1, i32), few),
      0);
  int64_t count = type.getNumElements() / int64_t(scalars.size());
  Value words =
      vector::BroadcastOp::create(builder, VectorType::get(count, i32), word);
  Value all = vector::BitCastOp::create(builder, type, words);
  // Behind the broadcast, which then loads from memory by itself.
  if (terms.front().flipsScalar())
    all = arith::XOrIOp::create(builder, all, splat(builder, 128, type));
  return all;
}

Value DotProducts::addTerms(Value sum, Value lanes, Value scalars,
                            StringRef intrinsic, bool areLanesSigned) {
  if (areLanesSigned)
    std::swap(lanes, scalars);
  return addProducts(builder, sum, lanes, scalars, intrinsic);
}

Value baco::target::addProducts(ImplicitLocOpBuilder &builder, Value sum,
                                Value left, Value right, StringRef intrinsic) {
  auto type = cast<VectorType>(sum.getType());
  int64_t count = type.getNumElements(),
          numTerms = cast<VectorType>(left.getType()).getNumElements() / count;
  auto part = [&](Value whole, int64_t first, int64_t size) -> Value {
    return vector::ExtractStridedSliceOp::create(
        builder, whole, ArrayRef{first}, ArrayRef{size}, ArrayRef{int64_t{1}});
  };
  // Vectors of several registers stay as they are for what is around, which
  // LLVM takes apart in the same way.
  Value result = sum;
  for (int64_t first = 0, numLanes = 0; first < count; first += numLanes) {
    numLanes =
        std::min<int64_t>(maxLanes, llvm::bit_floor<uint64_t>(count - first));
    int64_t place = first * numTerms, size = numLanes * numTerms;
    Value added =
        LLVM::CallIntrinsicOp::create(
            builder, VectorType::get(numLanes, type.getElementType()),
            builder.getStringAttr(intrinsic + Twine(numLanes * 32)),
            ValueRange{part(sum, first, numLanes), part(left, place, size),
                       part(right, place, size)})
            .getResult(0);
    result = vector::InsertStridedSliceOp::create(
        builder, added, result, ArrayRef{first}, ArrayRef{int64_t{1}});
  }
  return result;
}

Value DotProducts::addOffset(Value sum, Value lanes,
                             const ElementOffset &offset) {
  Value scalars =
      splat(builder, offset.number, cast<VectorType>(lanes.getType()));
  return addTerms(sum, lanes, scalars, dotProductOfBytes,
                  offset.areLanesSigned);
}

Value DotProducts::subtractOffset(Value sum, ArrayRef<Value> lanes,
                                  const ElementOffset &offset) {
  Value excess =
      arith::ConstantOp::create(builder, builder.getZeroAttr(sum.getType()));
  for (Value each : lanes)
    excess = addOffset(excess, each, offset);
  return arith::SubIOp::create(builder, sum, excess);
}

void DotProducts::subtractBehind(Operation *loop, unsigned number,
                                 ArrayRef<Value> lanes,
                                 const ElementOffset &offset) {
  // Rows that use the same vectors have the same too much.
  SmallVector<Excess> &known = excesses[loop];
  auto *same = llvm::find_if(known, [&](const Excess &excess) {
    return excess.lanes == lanes && excess.offset == offset;
  });
  if (same == known.end()) {
    known.push_back({llvm::to_vector(lanes), offset, {}});
    same = &known.back();
  }
  same->results.push_back(number);
}

/// The number of the result of the loop around `last` that is the sum of what
/// `last` adds to `first` in each iteration; nullopt if there is none.
static std::optional<unsigned> findCarriedSum(Value first, arith::AddIOp last) {
  // Something else that reads the sum inside of the loop would find too much.
  auto argument = dyn_cast<BlockArgument>(first);
  auto loop = dyn_cast<LoopLikeOpInterface>(last->getParentOp());
  if (!argument || !isa_and_nonnull<affine::AffineForOp, scf::ForOp>(loop) ||
      !last->hasOneUse() || !argument.hasOneUse())
    return std::nullopt;
  for (auto [number, carried, yielded] :
       llvm::enumerate(loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (carried == argument && yielded == last.getResult())
      return number;
  return std::nullopt;
}

void DotProducts::subtractExcesses(LoopLikeOpInterface loop,
                                   ArrayRef<Excess> parts) {
  // A sum of the offsets alone, once for all rows, instead of a subtraction for
  // each row in each iteration, which would take half as long as the products.
  unsigned count = loop->getNumResults();
  builder.setLoc(loop.getLoc());
  builder.setInsertionPoint(loop);
  SmallVector<Value> zeros =
      llvm::map_to_vector(parts, [&](const Excess &excess) -> Value {
        Type type = loop->getResult(excess.results.front()).getType();
        return arith::ConstantOp::create(builder, builder.getZeroAttr(type));
      });
  auto addAll = [&](OpBuilder &body, Location, ArrayRef<BlockArgument> sums) {
    builder.setInsertionPoint(body.getInsertionBlock(),
                              body.getInsertionPoint());
    SmallVector<Value> totals;
    for (auto [sum, excess] : llvm::zip_equal(sums, parts)) {
      Value total = sum;
      for (Value lanes : excess.lanes)
        total = addOffset(total, lanes, excess.offset);
      totals.push_back(total);
    }
    return totals;
  };
  // This moves the body to a loop with further values.
  IRRewriter rewriter(loop);
  FailureOr<LoopLikeOpInterface> made = loop.replaceWithAdditionalYields(
      rewriter, zeros, /*replaceInitOperandUsesInLoop=*/false, addAll);
  assert(succeeded(made) && "the loop carries values already");
  builder.setInsertionPointAfter(*made);
  for (auto [part, excess] : llvm::enumerate(parts))
    for (unsigned number : excess.results) {
      Value sum = (*made)->getResult(number);
      Value wanted =
          arith::SubIOp::create(builder, sum, (*made)->getResult(count + part));
      sum.replaceAllUsesExcept(wanted, wanted.getDefiningOp());
    }
}

void DotProducts::finish() {
  for (auto &[loop, parts] : excesses)
    subtractExcesses(cast<LoopLikeOpInterface>(loop), parts);
  baco::eraseDead(std::move(replaced));
}

void DotProducts::replaceSum(arith::AddIOp last) {
  if (replaced.contains(last))
    return;
  auto [sum, products, parts] = matchSum(last);
  // Fewer products than fill most of an instruction don't pay, nor does one.
  if (products.empty() ||
      int64_t(products.size()) <
          std::max<int64_t>(products.front().instruction().numTerms - 1, 2))
    return;
  LDBG() << last->getLoc() << ": " << products.size() << " products";
  // Before further uses of the sum are made.
  std::optional<unsigned> carried = findCarriedSum(sum, last);
  builder.setLoc(last->getLoc());
  builder.setInsertionPoint(last);
  Product &product = products.front();
  ProductInstruction instruction = product.instruction();
  size_t numTerms = instruction.numTerms, rest = products.size() % numTerms;
  SmallVector<Value> lanes;
  // The first group has the products that don't fill an instruction. Its
  // scalars include the next ones, with which they are one load.
  for (size_t first = 0, next = rest ? rest : numTerms; first < products.size();
       first = std::exchange(next, next + numTerms)) {
    Terms left = Terms(products).drop_front(first);
    lanes.push_back(interleave(left.take_front(next - first)));
    auto type = cast<VectorType>(lanes.back().getType());
    Value scalars =
        broadcast(left.take_front(std::min(numTerms, left.size())), type);
    sum = addTerms(sum, lanes.back(), scalars, instruction.intrinsic,
                   product.lanes.isSigned);
  }
  ElementOffset offset{product.offset(), product.lanes.isSigned};
  if (offset.number != 0 && carried)
    subtractBehind(last->getParentOp(), *carried, lanes, offset);
  else if (offset.number != 0)
    sum = subtractOffset(sum, lanes, offset);
  last.replaceAllUsesWith(sum);
  replaced.insert_range(parts);
}

bool baco::target::mayUseDotProducts(func::FuncOp function, int64_t level) {
  auto dictionary = function->getAttrOfType<DictionaryAttr>(
      baco::BacoDialect::kTargetOptions);
  if (!dictionary)
    return false;
  // The dialect's verifier has read them before.
  llvm::Expected<TargetOptions> options = TargetOptions::read(dictionary);
  if (options)
    return options->dotProducts.value_or(0) >= level;
  llvm::consumeError(options.takeError());
  return false;
}

namespace {
struct DotProductsPass
    : baco::target::impl::DotProductsPassBase<DotProductsPass> {
protected:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // Other CPUs than that which the plan was made for lack the instructions.
      if (function.isExternal() || !mayUseDotProducts(function, 1))
        continue;
      SmallVector<arith::AddIOp> sums;
      function.walk([&](arith::AddIOp sum) {
        if (isOfRegisters(sum))
          sums.push_back(sum);
      });
      DotProducts products(function);
      // Parts of a sum come before the whole.
      for (arith::AddIOp sum : llvm::reverse(sums))
        products.replaceSum(sum);
      products.finish();
      replaceWindowSums(function);
    }
  }
};
} // namespace
