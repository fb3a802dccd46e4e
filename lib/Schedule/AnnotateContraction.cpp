//===- AnnotateContraction.cpp - Recipes for contractions -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction is a matmul of three of its iterators, in loops over the
// others. Vectors run along the rows of the output, so that the operand that
// has this iterator plays B, whichever comes first.
//
//===----------------------------------------------------------------------===//

#include "AnnotateContraction.h"
#include "AnnotateMatmul.h"

#include "baco/IR/Structured.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

namespace {
/// Which part each iterator and operand has.
struct Roles {
  /// Iterators; m is nothing if the output has no other than n.
  std::optional<unsigned> m;
  unsigned n = 0, k = 0;
  /// All others, in the order of the op.
  SmallVector<unsigned> outer;
  /// Operands.
  unsigned a = 0, b = 1;

  /// The order of iterators that the lowering of vectors knows: those that take
  /// their index from the first operand, from the second, from both.
  SmallVector<int64_t> standardOrder() const;
  /// The roles after the iterators have been put in that order.
  Roles inStandardOrder() const;
};

/// Makes the attributes of a contraction's recipe.
class RecipeWriter {
public:
  RecipeWriter(MLIRContext *context, unsigned numIterators, const Roles &given,
               const MatmulBlockings &blockings)
      : builder(context), context(context), numIterators(numIterators),
        roles(given.inStandardOrder()), blockings(blockings) {
    SmallVector<int64_t> order = given.standardOrder();
    if (!llvm::is_sorted(order))
      steps.push_back(
          InterchangeAttr::get(context, builder.getI64ArrayAttr(order)));
  }

  /// With copies of blocks to buffers, or without.
  RecipeAttr write(bool packs);

private:
  Attribute size(StringRef name, ArrayRef<int64_t> values, int64_t best);
  Attribute order();
  Attribute constant(int64_t value) { return builder.getI64IntegerAttr(value); }
  Attribute mc() { return size("MC", blockings.mc, blockings.best.mc); }
  Attribute kc() { return size("KC", blockings.kc, blockings.best.kc); }
  Attribute mr() { return size("MR", blockings.mr, blockings.best.mr); }
  Attribute nr() { return size("NR", blockings.nr, blockings.best.nr); }
  /// Appends a tile of the given sizes; null: no loop.
  void tile(Attribute m, Attribute n, Attribute k, Attribute order = {});
  void promote(int64_t operand);

  Builder builder;
  MLIRContext *context;
  unsigned numIterators;
  Roles roles;
  const MatmulBlockings &blockings;
  SmallVector<Attribute> steps;
};
} // namespace

SmallVector<int64_t> Roles::standardOrder() const {
  SmallVector<int64_t> order(outer.begin(), outer.end());
  if (m && a == 0)
    order.push_back(*m);
  order.push_back(n);
  if (m && a == 1)
    order.push_back(*m);
  order.push_back(k);
  return order;
}

Roles Roles::inStandardOrder() const {
  Roles result = *this;
  SmallVector<int64_t> order = standardOrder();
  auto position = [&](unsigned iterator) -> unsigned {
    return llvm::find(order, iterator) - order.begin();
  };
  if (m)
    result.m = position(*m);
  result.n = position(n);
  result.k = position(k);
  for (unsigned &iterator : result.outer)
    iterator = position(iterator);
  return result;
}

/// A knob, or a constant where there is nothing to choose.
Attribute RecipeWriter::size(StringRef name, ArrayRef<int64_t> values,
                             int64_t best) {
  IntegerAttr value = builder.getI64IntegerAttr(best);
  if (values.size() == 1)
    return value;
  auto domain = OrdinalAttr::get(context, values, /*log=*/true);
  return KnobAttr::get(context, name, domain, value, DenseF64ArrayAttr());
}

/// Of the loops over blocks of M and K: blocks of K outside by default, as then
/// each block of A is packed once, and C stays hot in between.
Attribute RecipeWriter::order() {
  if (!roles.m)
    return {};
  bool isMFirst = *roles.m < roles.k;
  ArrayAttr blocksOfKOutside = builder.getI64ArrayAttr(
      isMFirst ? ArrayRef<int64_t>{1, 0} : ArrayRef<int64_t>{0, 1});
  if (!blockings.hasOrder)
    return blocksOfKOutside;
  auto domain = PermutationAttr::get(context, 2, PermutationMetric::Spearman);
  return KnobAttr::get(context, "order", domain, blocksOfKOutside,
                       DenseF64ArrayAttr());
}

void RecipeWriter::tile(Attribute m, Attribute n, Attribute k,
                        Attribute order) {
  SmallVector<Attribute> sizes(numIterators, constant(0));
  Attribute exact = builder.getStringAttr("exact");
  SmallVector<Attribute> remainders(numIterators, exact);
  int64_t rest = 0;
  if (m && roles.m) {
    sizes[*roles.m] = m;
    if (!blockings.dividesM)
      remainders[*roles.m] = builder.getStringAttr("balance");
  }
  if (n) {
    sizes[roles.n] = n;
    if (!blockings.dividesN) {
      remainders[roles.n] = builder.getStringAttr("split");
      rest = blockings.vectorLength;
    }
  }
  if (k) {
    sizes[roles.k] = k;
    if (!blockings.dividesK && k != constant(1))
      remainders[roles.k] = builder.getStringAttr("split");
  }
  bool isExact = llvm::all_equal(remainders) && remainders.front() == exact;
  if (!llvm::all_of(sizes, [&](Attribute s) { return s == constant(0); }))
    steps.push_back(TileAttr::get(
        context, builder.getArrayAttr(sizes), order,
        isExact ? ArrayAttr() : builder.getArrayAttr(remainders), rest));
}

void RecipeWriter::promote(int64_t operand) {
  constexpr int64_t cacheLineBytes = 64;
  steps.push_back(PromoteAttr::get(
      context, builder.getDenseI64ArrayAttr({operand}), cacheLineBytes,
      /*enabled=*/Attribute()));
}

RecipeAttr RecipeWriter::write(bool packs) {
  if (!roles.outer.empty()) {
    SmallVector<Attribute> sizes(numIterators, constant(0));
    for (unsigned iterator : roles.outer)
      sizes[iterator] = constant(1);
    steps.push_back(TileAttr::get(context, builder.getArrayAttr(sizes),
                                  Attribute(), ArrayAttr(), /*rest=*/0));
  }
  Attribute copyLength;
  if (packs) {
    tile(mc(), {}, kc(), order());
    promote(roles.a);
    tile({}, nr(), {});
    promote(roles.b);
    tile(mr(), {}, {});
    if (blockings.copyLength)
      copyLength = constant(blockings.copyLength);
  } else {
    tile(mr(), nr(), {});
  }
  tile({}, {}, constant(1));
  steps.push_back(VectorizeAttr::get(context, copyLength,
                                     /*enabled=*/Attribute()));
  steps.push_back(HoistAttr::get(context, /*enabled=*/Attribute()));

  SmallVector<ConstraintAttr> where;
  for (const BlockingRule &rule : blockings.rules)
    where.push_back(ConstraintAttr::get(context, rule.expression, rule.reason,
                                        rule.advisory));
  return RecipeAttr::get(context, builder.getArrayAttr(steps), where,
                         /*nests=*/1);
}

/// Why an op can't be scheduled by its types; empty if it can.
static std::string checkTypes(linalg::LinalgOp op) {
  for (Type operand : op->getOperandTypes()) {
    auto type = dyn_cast<MemRefType>(operand);
    if (!type)
      return "an operand is not a memref";
    Type element = type.getElementType();
    if (!element.isF16() && !element.isBF16() && !element.isF32() &&
        !element.isF64() && !element.isSignlessInteger(8) &&
        !element.isSignlessInteger(16) && !element.isSignlessInteger(32) &&
        !element.isSignlessInteger(64))
      return "elements must have type f16, bf16, f32, f64 or i8 to i64";
    if (type.getRank() > 0 && !type.isLastDimUnitStride())
      return "elements of a row are not contiguous in memory";
  }
  return "";
}

/// Whether the body converts elements otherwise than the vectors of a named op
/// do. `vectorize` then gives slower code than the plain lowering.
static bool convertsElements(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op))
    return convertsOtherwise(op);
  return llvm::any_of(op.getBlock()->getOperations(),
                      llvm::IsaPred<CastOpInterface>);
}

/// The iterator that the last index of `operand` is; nothing for a scalar.
static std::optional<unsigned> lastIterator(linalg::LinalgOp op,
                                            unsigned operand) {
  AffineMap map = op.getIndexingMapsArray()[operand];
  if (map.getNumResults() == 0)
    return std::nullopt;
  return cast<AffineDimExpr>(map.getResults().back()).getPosition();
}

/// The iterator of `among` with the largest extent, the last one of these.
static std::optional<unsigned> longest(ArrayRef<unsigned> among,
                                       ArrayRef<int64_t> extents) {
  std::optional<unsigned> result;
  for (unsigned iterator : among)
    if (!result || extents[iterator] >= extents[*result])
      result = iterator;
  return result;
}

static llvm::Expected<Roles> findRoles(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.empty())
    return llvm::createStringError(
        "it is not a sum of products over an iterator");
  // With a second one the lowering of vectors ends in scalars.
  if (dims->k.size() > 1)
    return llvm::createStringError("it sums over more than one iterator");
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  std::optional<unsigned> last = lastIterator(op, /*operand=*/2);
  Roles roles;
  bool isInA = last && llvm::is_contained(dims->m, *last);
  if (!isInA && !(last && llvm::is_contained(dims->n, *last)))
    return llvm::createStringError(
        "the last index of its output must be an index of exactly one operand");
  if (isInA)
    std::swap(roles.a, roles.b);
  roles.n = *last;
  if (lastIterator(op, roles.b) != roles.n)
    return llvm::createStringError(
        "operand " + Twine(roles.b) +
        " is not contiguous along the rows of the output; transpose it");
  roles.m = longest(isInA ? dims->n : dims->m, extents);
  roles.k = dims->k.front();
  for (unsigned i = 0; i < extents.size(); ++i)
    if (i != roles.m && i != roles.n && i != roles.k)
      roles.outer.push_back(i);
  return roles;
}

llvm::Expected<RecipeAttr>
baco::schedule::annotateContraction(linalg::LinalgOp op, const HostInfo &host) {
  if (std::string why = checkTypes(op); !why.empty())
    return llvm::createStringError(why);
  if (convertsElements(op))
    return llvm::createStringError("its body converts elements");
  llvm::Expected<Roles> roles = findRoles(op);
  if (!roles)
    return roles.takeError();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // The widest elements, those of the output, decide how many a vector has.
  auto type = cast<MemRefType>(op->getOperand(2).getType());
  MatmulShape shape{roles->m ? extents[*roles->m] : 1, extents[roles->n],
                    extents[roles->k],
                    std::max<int64_t>(type.getElementTypeBitWidth() / 8, 4)};
  bool packs = shape.m > 1 && !fitsInLevel1(shape, host);
  MatmulBlockings blockings = findBlockings(shape, host, packs);
  RecipeAttr recipe =
      RecipeWriter(op.getContext(), extents.size(), *roles, blockings)
          .write(packs);
  if (recipe.getKnobs().empty())
    return llvm::createStringError("it is too small for a choice of tiles");
  return recipe;
}
