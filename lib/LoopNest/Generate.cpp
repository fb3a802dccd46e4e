//===- Generate.cpp - Loops of a schedule ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks isl's syntax tree. Statements are written by GenerateStatements.cpp.
//
//===----------------------------------------------------------------------===//

#include "Generate.h"
#include "GenerateStatements.h"
#include "baco/Polyhedral/Context.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using affine::AffineForOp;
using affine::AffineIfOp;

namespace {
/// The bounds of a loop as affine.for has them.
struct Bounds {
  SmallVector<AffineExpr> lower, upper;
  int64_t step = 0;
};

class Generator {
public:
  Generator(OpBuilder &builder, Location loc, const Nest &nest,
            const polyhedral::LoopSchedule &schedule,
            const polyhedral::GeneratedCode &code)
      : builder(builder), loc(loc), nest(nest), code(code),
        names(builder.getContext()),
        statements(builder, nest, schedule, names) {}

  FailureOr<RestructuredNest> run();

private:
  LogicalResult visit(const isl::ast_node &node);
  using Body = llvm::function_ref<LogicalResult()>;

  LogicalResult visitFor(const isl::ast_node &node);
  LogicalResult visitInner(const polyhedral::GeneratedInstance &instance,
                           const std::vector<polyhedral::InnerLoop> &loops);
  LogicalResult writeInner(const polyhedral::InnerLoop &loop, Body body);
  LogicalResult writeFor(const Bounds &bounds, const std::string &name,
                         const polyhedral::LoopMarks &marks, Body body);
  LogicalResult writeOnce(const std::string &name, const isl::ast_expr &value,
                          int64_t stride, Body body);
  LogicalResult visitIf(const isl::ast_node &node);
  LogicalResult writeIf(const isl::ast_expr &condition, Body body,
                        Body otherwise = nullptr);
  LogicalResult unknown(StringRef what, const isl::ast_expr &expression);
  void nameParameters();

  OpBuilder &builder;
  Location loc;
  const Nest &nest;
  const polyhedral::GeneratedCode &code;
  ExpressionReader names;
  StatementWriter statements;
  SmallVector<MarkedLoop> marked;
};
} // namespace

LogicalResult Generator::unknown(StringRef what,
                                 const isl::ast_expr &expression) {
  return emitError(loc) << "the new order needs the " << what << " "
                        << expression.to_C_str()
                        << ", which affine loops can't express";
}

LogicalResult Generator::visit(const isl::ast_node &node) {
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return visitFor(node);
  case isl_ast_node_if:
    return visitIf(node);
  case isl_ast_node_block: {
    isl::ast_node_list children =
        isl::manage(isl_ast_node_block_get_children(node.get()));
    for (unsigned i = 0, e = children.size(); i < e; ++i)
      if (failed(visit(children.at(i))))
        return failure();
    return success();
  }
  case isl_ast_node_mark:
    return visit(isl::manage(isl_ast_node_mark_get_node(node.get())));
  default: {
    const polyhedral::GeneratedInstance &instance = code.instance(node);
    return visitInner(instance, instance.loops);
  }
  }
}

/// The end of a loop over multiples of `stride` whose last value is at most
/// `bound`, a multiple, or less if `isStrict`.
static AffineExpr pastTheEnd(AffineExpr bound, int64_t stride, bool isStrict,
                             bool isOnly) {
  int64_t strict = isStrict ? stride : 0;
  // Multiples of `stride` up to x are those up to floor(x / stride) * stride.
  if (auto product = dyn_cast<AffineBinaryOpExpr>(bound);
      product && stride > 1 && product.getKind() == AffineExprKind::Mul)
    if (auto floor = dyn_cast<AffineBinaryOpExpr>(product.getLHS());
        floor && floor.getKind() == AffineExprKind::FloorDiv &&
        product.getRHS() == stride && floor.getRHS() == stride)
      return floor.getLHS() + 1 - strict;
  // The tightest bound where analyses need it, else a multiple.
  if (!isOnly && isa<AffineConstantExpr>(bound))
    return bound + 1 - strict;
  return bound + stride - strict;
}

/// A loop with one iteration, whose iterator is `value`. Dimensions of affine
/// operations must be affine, so each case of a value has code of its own.
LogicalResult Generator::writeOnce(const std::string &name,
                                   const isl::ast_expr &value, int64_t stride,
                                   Body body) {
  if (AffineExpr multiple = names.affine(value, stride)) {
    names.push(name, multiple, stride);
    LogicalResult result = body();
    names.pop();
    return result;
  }
  Value holds;
  if (kindOf(value) == isl_ast_expr_op_select ||
      kindOf(value) == isl_ast_expr_op_cond)
    holds = names.truth(builder, loc, argument(value, 0));
  if (!holds)
    return unknown("value", value);
  auto op = scf::IfOp::create(builder, loc, TypeRange(), holds,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  if (failed(writeOnce(name, argument(value, 1), stride, body)))
    return failure();
  builder.setInsertionPointToStart(op.elseBlock());
  return writeOnce(name, argument(value, 2), stride, body);
}

LogicalResult Generator::writeFor(const Bounds &bounds, const std::string &name,
                                  const polyhedral::LoopMarks &marks,
                                  Body body) {
  SmallVector<Value> operands(names.operands());
  auto loop =
      AffineForOp::create(builder, loc, operands, names.map(bounds.lower),
                          operands, names.map(bounds.upper), bounds.step);
  // Operands that the bounds don't use go, and symbols become such.
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  SmallVector<Value> lowerOperands(operands), upperOperands(operands);
  affine::canonicalizeMapAndOperands(&lower, &lowerOperands);
  affine::canonicalizeMapAndOperands(&upper, &upperOperands);
  lower = removeDuplicateExprs(lower);
  upper = removeDuplicateExprs(upper);
  loop.setLowerBound(lowerOperands, lower);
  loop.setUpperBound(upperOperands, upper);

  if (marks.unroll || marks.vectorWidth > 0 || marks.parallel ||
      marks.prefetch > 0)
    marked.push_back({loop, marks.unroll, marks.vectorWidth, marks.parallel,
                      marks.prefetch, marks.loop});
  names.push(name, loop.getInductionVar(), marks.stride, marks.origin);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  LogicalResult result = body();
  names.pop();
  return result;
}

LogicalResult Generator::visitFor(const isl::ast_node &node) {
  isl::ast_node_for loopNode = node.as<isl::ast_node_for>();
  isl::ast_expr init = loopNode.init();
  isl::ast_expr iterator = loopNode.iterator();
  std::string name = iterator.as<isl::ast_expr_id>().id().name();
  const polyhedral::LoopMarks &marks = code.marks(node);
  int64_t stride = marks.stride;
  auto body = [&] { return visit(loopNode.body()); };
  if (loopNode.is_degenerate())
    return writeOnce(name, init, stride, body);

  // isl writes `iterator < bound` or `iterator <= bound`.
  isl::ast_expr condition = loopNode.cond();
  bool isStrict = kindOf(condition) == isl_ast_expr_op_lt;
  isl::ast_expr bound = argument(condition, 1);
  Bounds bounds{names.extremum(init, /*wantMinimum=*/false, stride),
                names.extremum(bound, /*wantMinimum=*/true, stride), 0};
  if (bounds.lower.empty())
    return unknown("lower bound", init);
  if (bounds.upper.empty())
    return unknown("upper bound", bound);
  for (AffineExpr &lower : bounds.lower)
    lower = lower + marks.origin;
  for (AffineExpr &upper : bounds.upper)
    upper = pastTheEnd(upper, stride, isStrict, bounds.upper.size() == 1) +
            marks.origin;
  isl::ast_expr step = loopNode.inc();
  std::optional<int64_t> increment =
      polyhedral::toInt64(isl::manage(isl_ast_expr_get_val(step.get())));
  if (!increment || llvm::MulOverflow(*increment, stride, bounds.step))
    return unknown("step", step);
  return writeFor(bounds, name, marks, body);
}

/// The instance in loops of its own.
LogicalResult
Generator::visitInner(const polyhedral::GeneratedInstance &instance,
                      const std::vector<polyhedral::InnerLoop> &loops) {
  if (loops.empty())
    return statements.write(instance, loc);
  for (const polyhedral::InnerLoop &loop : loops) {
    auto body = [&] { return visitInner(instance, loop.body); };
    auto write = [&] { return writeInner(loop, body); };
    if (failed(loop.condition ? writeIf(*loop.condition, write) : write()))
      return failure();
  }
  return success();
}

LogicalResult Generator::writeInner(const polyhedral::InnerLoop &loop,
                                    Body body) {
  const polyhedral::LoopMarks &marks = loop.marks;
  if (loop.upper.empty())
    return writeOnce(loop.iterator, loop.lower.front(), marks.stride, body);
  Bounds bounds{{}, {}, marks.stride};
  for (const isl::ast_expr &lower : loop.lower) {
    bounds.lower.push_back(names.affine(lower, marks.stride));
    if (!bounds.lower.back())
      return unknown("lower bound", lower);
    bounds.lower.back() = bounds.lower.back() + marks.origin;
  }
  for (const isl::ast_expr &upper : loop.upper) {
    AffineExpr last = names.affine(upper, marks.stride);
    if (!last)
      return unknown("upper bound", upper);
    bounds.upper.push_back(pastTheEnd(last, marks.stride, /*isStrict=*/false,
                                      loop.upper.size() == 1) +
                           marks.origin);
  }
  return writeFor(bounds, loop.iterator, marks, body);
}

LogicalResult Generator::visitIf(const isl::ast_node &node) {
  isl::ast_node_if branch = node.as<isl::ast_node_if>();
  auto otherwise = [&] { return visit(branch.else_node()); };
  return writeIf(
      branch.cond(), [&] { return visit(branch.then_node()); },
      branch.has_else_node() ? Body(otherwise) : Body());
}

/// \param otherwise  may be null
LogicalResult Generator::writeIf(const isl::ast_expr &condition, Body body,
                                 Body otherwise) {
  SmallVector<AffineExpr> expressions;
  SmallVector<bool> isEquality;
  Block *thenBlock, *elseBlock = nullptr;
  bool hasElse = static_cast<bool>(otherwise);
  if (names.conjunction(condition, expressions, isEquality)) {
    IntegerSet set =
        IntegerSet::get(names.operands().size(), 0, expressions, isEquality);
    SmallVector<Value> operands(names.operands());
    affine::canonicalizeSetAndOperands(&set, &operands);
    auto op = AffineIfOp::create(builder, loc, set, operands, hasElse);
    thenBlock = op.getThenBlock();
    if (hasElse)
      elseBlock = op.getElseBlock();
  } else {
    // A disjunction.
    Value holds = names.truth(builder, loc, condition);
    if (!holds)
      return unknown("condition", condition);
    auto op = scf::IfOp::create(builder, loc, TypeRange(), holds, hasElse);
    thenBlock = op.thenBlock();
    if (hasElse)
      elseBlock = op.elseBlock();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(thenBlock);
  if (failed(body()))
    return failure();
  if (!hasElse)
    return success();
  builder.setInsertionPointToStart(elseBlock);
  return otherwise();
}

void Generator::nameParameters() {
  for (auto [index, parameter] : llvm::enumerate(nest.parameters)) {
    Value value = parameter.value;
    if (parameter.dimension)
      value = memref::DimOp::create(builder, loc, value, *parameter.dimension);
    names.push("p" + std::to_string(index), value);
  }
}

FailureOr<RestructuredNest> Generator::run() {
  // At the start of the function, which may be right in front of the nest.
  statements.allocateBuffers(loc);
  Block *block = builder.getBlock();
  Block::iterator end = builder.getInsertionPoint();
  Operation *before = end == block->begin() ? nullptr : &*std::prev(end);
  auto collect = [&] {
    Block::iterator begin =
        before ? std::next(before->getIterator()) : block->begin();
    return llvm::map_to_vector(llvm::make_range(begin, end),
                               [](Operation &op) { return &op; });
  };
  // Also if isl throws.
  llvm::scope_exit eraseAll([&] {
    for (Operation *op : llvm::reverse(collect()))
      op->erase();
    statements.eraseBuffers();
  });
  nameParameters();
  if (failed(visit(code.root)))
    return failure();
  eraseAll.release();
  RestructuredNest written;
  written.ops = collect();
  written.marked = std::move(marked);
  written.buffers = statements.takeBuffers();
  return written;
}

FailureOr<RestructuredNest>
baco::loopnest::generate(OpBuilder &builder, Location loc, const Nest &nest,
                         const polyhedral::LoopSchedule &schedule,
                         const polyhedral::GeneratedCode &code) {
  return Generator(builder, loc, nest, schedule, code).run();
}
