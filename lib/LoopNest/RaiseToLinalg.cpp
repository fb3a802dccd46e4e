//===- RaiseToLinalg.cpp - linalg ops instead of loops --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement becomes an op if it may have loops of its own, each of which is
// parallel or adds up. Its operands are views of what its loops reach, so that
// shapes say what bounds did.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/RaiseToLinalg.h"

#include "ExtractIndices.h"
#include "RestructureBy.h"
#include "baco/LoopNest/PrepareNest.h"
#include "baco/Polyhedral/Context.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DebugLog.h"

#include <list>
#include <numeric>

#define DEBUG_TYPE "baco-raise-to-linalg"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopSchedule;

namespace {
/// The elements that a reference touches, as a view with steps of 1.
struct View {
  Value memref;
  SmallVector<int64_t> offsets, sizes;
  /// Dimensions of the memref that have one element, and no iterator.
  SmallVector<bool> isFixed;
  /// The subscripts of the others, over loops that begin at 0.
  AffineMap map;

  bool operator==(const View &other) const {
    return memref == other.memref && offsets == other.offsets &&
           sizes == other.sizes && map == other.map;
  }
};

/// A statement as an op.
struct RaisedStatement {
  explicit RaisedStatement(const NestStatement &statement)
      : statement(&statement) {}

  const NestStatement *statement;
  SmallVector<int64_t> lowerBounds, extents;
  SmallVector<utils::IteratorType> iterators;
  Operation *store = nullptr;
  View result;
  /// Without those that load what the statement stores to.
  SmallVector<View> inputs;
  /// The input that each load reads, or -1 for the result.
  llvm::DenseMap<Operation *, int> loads;
};
} // namespace

static Error refuse(const Twine &why) {
  return {ErrorCode::Unsupported, why.str()};
}

/// The factors of the `depth` loops in each of `subscripts`, and behind them
/// its constant; nothing if some subscript isn't a sum of multiples of loops.
static std::optional<std::vector<SmallVector<int64_t, 8>>>
factorsOf(ArrayRef<AffineExpr> subscripts, size_t depth, MLIRContext *context) {
  SmallVector<AffineMap, 4> inferred =
      AffineMap::inferFromExprList(subscripts, context);
  bool hasParameters = llvm::any_of(
      inferred, [](AffineMap map) { return map.getNumSymbols() > 0; });
  std::vector<SmallVector<int64_t, 8>> rows;
  if (hasParameters ||
      failed(getFlattenedAffineExprs(
          AffineMap::get(depth, 0, subscripts, context), &rows)))
    return std::nullopt;
  for (ArrayRef<int64_t> row : rows)
    // More columns than that are of quotients and remainders.
    if (row.size() != depth + 1 ||
        llvm::any_of(row.drop_back(),
                     [](int64_t factor) { return factor < 0; }))
      return std::nullopt;
  return rows;
}

/// What `access` touches in a statement.
static Result<View> viewOf(const NestAccess &access,
                           const RaisedStatement &raised) {
  Value memref = accessedMemref(access.op);
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!access.subscripts || !type || !type.hasStaticShape() ||
      access.subscripts->size() != size_t(type.getRank()))
    return refuse("it accesses elements that aren't known");
  size_t depth = raised.extents.size();
  MLIRContext *context = access.op->getContext();
  View view{memref, {}, {}, {}, {}};
  SmallVector<AffineExpr> subscripts;
  auto rows = factorsOf(*access.subscripts, depth, context);
  if (!rows)
    return refuse("a subscript is no sum of iterators");
  for (auto [extent, factors] : llvm::zip_equal(type.getShape(), *rows)) {
    int64_t offset = factors.back(), size = 1;
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (size_t loop = 0; loop < depth; ++loop) {
      offset += factors[loop] * raised.lowerBounds[loop];
      size += factors[loop] * (raised.extents[loop] - 1);
      if (factors[loop] != 0)
        sum = sum + getAffineDimExpr(loop, context) * factors[loop];
    }
    if (offset < 0 || offset + size > extent)
      return refuse("it leaves the bounds of a memref");
    view.offsets.push_back(offset);
    view.sizes.push_back(size);
    view.isFixed.push_back(isa<AffineConstantExpr>(sum));
    if (!view.isFixed.back())
      subscripts.push_back(sum);
  }
  view.map = AffineMap::get(depth, 0, subscripts, context);
  return view;
}

/// Reads the bounds of the loops around a statement.
static Result<void> readBounds(RaisedStatement &raised) {
  for (Value iterator : raised.statement->iterators) {
    auto loop = affine::getForInductionVarOwner(iterator);
    if (!loop || !loop.hasConstantBounds() || loop.getStepAsInt() != 1)
      return refuse("the bounds of a loop aren't constant, or its step isn't "
                    "1");
    raised.lowerBounds.push_back(loop.getConstantLowerBound());
    raised.extents.push_back(loop.getConstantUpperBound() -
                             loop.getConstantLowerBound());
    if (raised.extents.back() <= 0)
      return refuse("a loop never runs");
  }
  if (raised.extents.empty())
    return refuse("a statement has no loop");
  for (Operation *op = raised.store->getParentOp();
       op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
    if (isa<affine::AffineIfOp>(op))
      return refuse("it is conditional");
  return {};
}

/// Whether an op's body may have `op`: in it, iterators are no dimensions of
/// the affine dialect.
static bool canCompute(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         !isa<affine::AffineMinOp, affine::AffineMaxOp>(op);
}

/// Sorts the operations of a statement into loads, the store, and what is
/// computed.
static Result<void> readOperations(RaisedStatement &raised) {
  for (Operation *op : raised.statement->ops)
    if (isStore(op)) {
      if (raised.store)
        return refuse("a statement stores twice");
      raised.store = op;
    } else if (!isLoad(op) && !canCompute(op)) {
      return refuse("'" + op->getName().getStringRef() +
                    "' can't be in a linalg op");
    }
  if (!raised.store)
    return refuse("a statement stores nothing");
  return {};
}

static Result<void> readAccesses(RaisedStatement &raised) {
  const NestStatement &statement = *raised.statement;
  Result<View> result = viewOf(statement.accesses.front(), raised);
  if (!result)
    return result.error();
  raised.result = std::move(*result);
  if (!raised.result.map.isProjectedPermutation())
    return refuse("it stores to no element of its own");
  for (const NestAccess &access : statement.accesses) {
    if (access.isWrite)
      continue;
    Result<View> view = viewOf(access, raised);
    if (!view)
      return view.error();
    if (*view == raised.result) {
      raised.loads[access.op] = -1;
      continue;
    }
    auto *known = llvm::find(raised.inputs, *view);
    raised.loads[access.op] = known - raised.inputs.begin();
    if (known == raised.inputs.end())
      raised.inputs.push_back(std::move(*view));
  }
  SmallVector<AffineMap> maps = {raised.result.map};
  for (const View &input : raised.inputs)
    maps.push_back(input.map);
  if (!inversePermutation(concatAffineMaps(maps, raised.store->getContext())))
    return refuse("no operand has the extent of a loop");
  return {};
}

/// Says which loops of statement `index`, which has no others, are parallel.
static Result<void> readIterators(RaisedStatement &raised, unsigned index,
                                  const LoopSchedule &schedule) {
  const NestStatement &statement = *raised.statement;
  // Other elements that are read may be sums, too.
  bool readsSums =
      llvm::any_of(statement.accesses, [&](const NestAccess &read) {
        return !read.isWrite &&
               read.array == statement.accesses.front().array &&
               raised.loads.lookup(read.op) >= 0;
      });
  for (unsigned loop = 0; loop < raised.extents.size(); ++loop) {
    bool isSum = !raised.result.map.isFunctionOfDim(loop);
    if (isSum && (!statement.reduction || readsSums))
      return refuse("terms of a loop don't commute");
    if (!isSum) {
      Result<bool> isParallel = schedule.isParallel(index, loop + 1);
      if (!isParallel)
        return isParallel.error();
      if (!*isParallel)
        return refuse("iterations of a loop depend on each other");
    }
    raised.iterators.push_back(isSum ? utils::IteratorType::reduction
                                     : utils::IteratorType::parallel);
  }
  return {};
}

/// The statements of `nest` as ops; an error for the first that has no such
/// form.
static Result<std::vector<RaisedStatement>> readStatements(const Nest &nest) {
  polyhedral::Context context(maxNestWork);
  polyhedral::Program program = toProgram(context.get(), nest);
  Result<LoopSchedule> schedule = LoopSchedule::create(program);
  if (!schedule)
    return schedule.error();
  std::vector<int64_t> all(nest.statements.size());
  std::iota(all.begin(), all.end(), 0);
  if (all.size() > 1) {
    Result<void> done = schedule->apply(
        {polyhedral::LoopCommandKind::Distribute, {all, int64_t(1)}});
    if (!done)
      return done.error();
    if (Result<void> legal = schedule->checkLegal(); !legal)
      return refuse("statements need the same loop: " + legal.error().message);
  }
  // Statements may have changed places.
  Result<polyhedral::Program> distributed = schedule->asProgram();
  if (!distributed)
    return distributed.error();
  auto place = [&](int64_t index) {
    return polyhedral::toInt64(
        distributed->statements[index].schedule.range().dim_min_val(0));
  };
  llvm::sort(all, [&](int64_t a, int64_t b) { return place(a) < place(b); });
  std::vector<RaisedStatement> result;
  for (int64_t index : all) {
    RaisedStatement raised(nest.statements[index]);
    auto read = [&]() -> Result<void> {
      if (Result<void> done = readOperations(raised); !done)
        return done;
      if (Result<void> done = readBounds(raised); !done)
        return done;
      if (Result<void> done = readAccesses(raised); !done)
        return done;
      return readIterators(raised, index, *schedule);
    };
    if (Result<void> done = read(); !done)
      return done.error();
    result.push_back(std::move(raised));
  }
  return result;
}

/// The operand that is `view`.
static Value createView(ImplicitLocOpBuilder &builder, const View &view) {
  auto type = cast<MemRefType>(view.memref.getType());
  bool isWhole = view.sizes == type.getShape() &&
                 llvm::none_of(view.isFixed, [](bool fixed) { return fixed; });
  if (isWhole)
    return view.memref;
  SmallVector<int64_t> ones(view.sizes.size(), 1), shape;
  for (auto [size, isFixed] : llvm::zip_equal(view.sizes, view.isFixed))
    if (!isFixed)
      shape.push_back(size);
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, view.offsets, view.sizes, ones);
  MLIRContext *context = builder.getContext();
  return memref::SubViewOp::create(
      builder, reduced, view.memref,
      getAsIndexOpFoldResult(context, view.offsets),
      getAsIndexOpFoldResult(context, view.sizes),
      getAsIndexOpFoldResult(context, ones));
}

/// Writes what the statement computes, of loaded elements, to a body.
static void createBody(OpBuilder &builder, Location location,
                       ValueRange arguments, const RaisedStatement &raised) {
  IRMapping mapping;
  for (auto [loop, iterator] : llvm::enumerate(raised.statement->iterators)) {
    Value index = linalg::IndexOp::create(builder, location, loop);
    if (int64_t low = raised.lowerBounds[loop])
      index = arith::AddIOp::create(
          builder, location, index,
          arith::ConstantIndexOp::create(builder, location, low));
    mapping.map(iterator, index);
  }
  for (Operation *op : raised.statement->ops) {
    if (auto load = raised.loads.find(op); load != raised.loads.end()) {
      mapping.map(op->getResult(0), load->second < 0 ? arguments.back()
                                                     : arguments[load->second]);
    } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      SmallVector<Value> operands;
      for (Value operand : apply.getMapOperands())
        operands.push_back(mapping.lookupOrDefault(operand));
      auto expanded = affine::expandAffineMap(builder, location,
                                              apply.getAffineMap(), operands);
      mapping.map(apply.getResult(), expanded->front());
    } else if (op != raised.store) {
      builder.clone(*op, mapping);
    }
  }
  linalg::YieldOp::create(builder, location,
                          mapping.lookupOrDefault(storedValue(raised.store)));
}

/// Creates the op of a statement.
static void createOp(ImplicitLocOpBuilder &builder,
                     const RaisedStatement &raised) {
  builder.setLoc(raised.store->getLoc());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const View &input : raised.inputs) {
    inputs.push_back(createView(builder, input));
    maps.push_back(input.map);
  }
  Value output = createView(builder, raised.result);
  maps.push_back(raised.result.map);
  auto op = linalg::GenericOp::create(
      builder, TypeRange(), inputs, output, maps, raised.iterators,
      [&](OpBuilder &inner, Location location, ValueRange arguments) {
        createBody(inner, location, arguments, raised);
      });
  // Sums come last, as in named ops.
  SmallVector<unsigned> order;
  for (auto wanted :
       {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [loop, type] : llvm::enumerate(raised.iterators))
      if (type == wanted)
        order.push_back(loop);
  IRRewriter rewriter(builder);
  rewriter.setInsertionPoint(op);
  if (!llvm::is_sorted(order))
    if (FailureOr<linalg::GenericOp> ordered =
            linalg::interchangeGenericOp(rewriter, op, order);
        succeeded(ordered))
      op = *ordered;
  // Subscripts have become maps.
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
    if (isOpTriviallyDead(&inner))
      inner.erase();
}

namespace {
/// A loop that becomes ops.
struct RaisedLoop {
  affine::AffineForOp loop;
  Nest nest;
  std::vector<RaisedStatement> statements;
};
} // namespace

/// Adds `loop` to `raised`, or, if it must run around several ops, the loops in
/// it.
static Result<void> collect(affine::AffineForOp loop,
                            std::list<RaisedLoop> &raised) {
  FailureOr<Nest> nest = failure();
  {
    ScopedDiagnosticHandler silence(loop.getContext(),
                                    [](Diagnostic &) { return success(); });
    nest = extractNest(loop, loop);
  }
  if (failed(nest))
    return refuse("it can't be analyzed");
  RaisedLoop &added =
      raised.emplace_back(RaisedLoop{loop, std::move(*nest), {}});
  Result<std::vector<RaisedStatement>> statements = readStatements(added.nest);
  if (statements) {
    added.statements = std::move(*statements);
    return {};
  }
  raised.pop_back();
  Block::OpListType &body = loop.getBody()->getOperations();
  bool hasLoopsOnly = llvm::all_of(body, [](Operation &op) {
    return isa<affine::AffineForOp, affine::AffineYieldOp>(op);
  });
  auto inner = loop.getOps<affine::AffineForOp>();
  if (!hasLoopsOnly || inner.empty())
    return statements.error();
  for (affine::AffineForOp each : inner)
    if (Result<void> done = collect(each, raised); !done)
      return statements.error();
  return {};
}

Result<int64_t> baco::loopnest::raiseToLinalg(Operation *&nest) {
  nest->getContext()
      ->loadDialect<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, memref::MemRefDialect>();
  IRRewriter rewriter(nest->getContext());
  {
    ScopedDiagnosticHandler silence(nest->getContext(),
                                    [](Diagnostic &) { return success(); });
    nest = raiseToAffine(rewriter, nest);
    raiseConditionals(rewriter, nest);
    nest = demoteCarriedValues(rewriter, nest);
  }
  auto loop = dyn_cast<affine::AffineForOp>(nest);
  if (!loop)
    return refuse("it is no affine loop: " + describeNotAffine(nest));
  try {
    std::list<RaisedLoop> raised;
    if (Result<void> done = collect(loop, raised); !done)
      return done.error();
    int64_t count = 0;
    for (RaisedLoop &each : raised) {
      ImplicitLocOpBuilder builder(each.loop.getLoc(), each.loop);
      for (const RaisedStatement &statement : each.statements)
        createOp(builder, statement);
      count += static_cast<int64_t>(each.statements.size());
      each.loop.erase();
    }
    LDBG() << count << " statements are linalg ops now";
    return count;
  } catch (const polyhedral::TooMuchWork &) {
    return refuse("its analysis takes too long");
  } catch (const std::exception &error) {
    return refuse(error.what());
  }
}
