//===- GenerateExpressions.cpp - isl's expressions as affine ones ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateExpressions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace baco::loopnest;

/// Operand `index` of an operation.
static isl::ast_expr argument(const isl::ast_expr &operation, int index) {
  return isl::manage(isl_ast_expr_get_op_arg(operation.get(), index));
}

static int numArguments(const isl::ast_expr &operation) {
  return isl_ast_expr_get_op_n_arg(operation.get());
}

/// The kind of an operation; isl_ast_expr_op_error for names and numbers.
static isl_ast_expr_op_type kindOf(const isl::ast_expr &expression) {
  return isl_ast_expr_get_type(expression.get()) == isl_ast_expr_op
             ? isl_ast_expr_get_op_type(expression.get())
             : isl_ast_expr_op_error;
}

static bool isInteger(const isl::ast_expr &expression) {
  return isl_ast_expr_get_type(expression.get()) == isl_ast_expr_int;
}

static int64_t integer(const isl::ast_expr &expression) {
  isl::val value = isl::manage(isl_ast_expr_get_val(expression.get()));
  return isl_val_get_num_si(value.get());
}

static std::string name(const isl::ast_expr &expression) {
  isl::id id = isl::manage(isl_ast_expr_get_id(expression.get()));
  return id.name();
}

void ExpressionReader::push(std::string name, Value value) {
  names.push_back({std::move(name), getAffineDimExpr(values.size(), context),
                   /*hasValue=*/true});
  values.push_back(value);
}

void ExpressionReader::push(std::string name, AffineExpr expression) {
  names.push_back({std::move(name), expression, /*hasValue=*/false});
}

void ExpressionReader::pop() {
  if (names.back().hasValue)
    values.pop_back();
  names.pop_back();
}

AffineMap ExpressionReader::map(ArrayRef<AffineExpr> results) const {
  return AffineMap::get(values.size(), 0, results, context);
}

AffineExpr ExpressionReader::affine(const isl::ast_expr &expression) const {
  if (isInteger(expression))
    return getAffineConstantExpr(integer(expression), context);
  if (isl_ast_expr_get_type(expression.get()) == isl_ast_expr_id) {
    std::string wanted = name(expression);
    for (const Name &known : llvm::reverse(names))
      if (known.name == wanted)
        return known.meaning;
    return {};
  }
  SmallVector<AffineExpr> args;
  for (int i = 0, e = numArguments(expression); i < e; ++i) {
    args.push_back(affine(argument(expression, i)));
    if (!args.back())
      return {};
  }
  switch (kindOf(expression)) {
  case isl_ast_expr_op_minus:
    return -args[0];
  case isl_ast_expr_op_add:
    return args[0] + args[1];
  case isl_ast_expr_op_sub:
    return args[0] - args[1];
  case isl_ast_expr_op_mul:
    return args[0] * args[1];
  case isl_ast_expr_op_div: // Without remainder.
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
    return args[0].floorDiv(args[1]);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // Of which only the zeros matter.
    return args[0] % args[1];
  default:
    return {};
  }
}

/// `combine` applied to all pairs.
static SmallVector<AffineExpr>
cross(ArrayRef<AffineExpr> a, ArrayRef<AffineExpr> b,
      function_ref<AffineExpr(AffineExpr, AffineExpr)> combine) {
  SmallVector<AffineExpr> result;
  for (AffineExpr x : a)
    for (AffineExpr y : b)
      result.push_back(combine(x, y));
  return result;
}

SmallVector<AffineExpr>
ExpressionReader::extremum(const isl::ast_expr &expression,
                           bool wantMinimum) const {
  if (AffineExpr single = affine(expression))
    return {single};
  isl_ast_expr_op_type kind = kindOf(expression);
  if (kind == isl_ast_expr_op_error)
    return {};
  auto part = [&](int index, bool minimum) {
    return extremum(argument(expression, index), minimum);
  };
  auto add = [](AffineExpr a, AffineExpr b) { return a + b; };
  auto subtract = [](AffineExpr a, AffineExpr b) { return a - b; };
  auto negative = [&] {
    AffineExpr zero = getAffineConstantExpr(0, context);
    return cross(zero, part(0, !wantMinimum), subtract);
  };
  switch (kind) {
  case isl_ast_expr_op_min:
  case isl_ast_expr_op_max: {
    if ((kind == isl_ast_expr_op_min) != wantMinimum)
      return {};
    SmallVector<AffineExpr> all;
    for (int i = 0, e = numArguments(expression); i < e; ++i) {
      SmallVector<AffineExpr> some = part(i, wantMinimum);
      if (some.empty())
        return {};
      all.append(some);
    }
    return all;
  }
  case isl_ast_expr_op_minus:
    return negative();
  case isl_ast_expr_op_add:
    return cross(part(0, wantMinimum), part(1, wantMinimum), add);
  case isl_ast_expr_op_sub:
    return cross(part(0, wantMinimum), part(1, !wantMinimum), subtract);
  case isl_ast_expr_op_mul: {
    int constant = isInteger(argument(expression, 0)) ? 0 : 1;
    if (!isInteger(argument(expression, constant)))
      return {};
    int64_t factor = integer(argument(expression, constant));
    return llvm::map_to_vector(
        part(1 - constant, factor < 0 ? !wantMinimum : wantMinimum),
        [&](AffineExpr term) { return term * factor; });
  }
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q: {
    // Isl divides by positive integers only; rounding down is monotonic.
    int64_t divisor = integer(argument(expression, 1));
    return llvm::map_to_vector(part(0, wantMinimum), [&](AffineExpr term) {
      return term.floorDiv(divisor);
    });
  }
  default:
    return {};
  }
}

bool ExpressionReader::conjunction(const isl::ast_expr &condition,
                                   SmallVectorImpl<AffineExpr> &expressions,
                                   SmallVectorImpl<bool> &isEquality) const {
  isl_ast_expr_op_type kind = kindOf(condition);
  if (kind == isl_ast_expr_op_and || kind == isl_ast_expr_op_and_then) {
    for (int i = 0, e = numArguments(condition); i < e; ++i)
      if (!conjunction(argument(condition, i), expressions, isEquality))
        return false;
    return true;
  }
  if (kind == isl_ast_expr_op_eq) {
    AffineExpr a = affine(argument(condition, 0));
    AffineExpr b = affine(argument(condition, 1));
    if (!a || !b)
      return false;
    expressions.push_back(a - b);
    isEquality.push_back(true);
    return true;
  }
  bool isGreater = kind == isl_ast_expr_op_ge || kind == isl_ast_expr_op_gt;
  bool isLess = kind == isl_ast_expr_op_le || kind == isl_ast_expr_op_lt;
  if (!isGreater && !isLess)
    return false;
  // large - small >= 0 (or 1): for the least of `large`, the most of `small`.
  auto large = extremum(argument(condition, isGreater ? 0 : 1), true);
  auto small = extremum(argument(condition, isGreater ? 1 : 0), false);
  if (large.empty() || small.empty())
    return false;
  bool isStrict = kind == isl_ast_expr_op_gt || kind == isl_ast_expr_op_lt;
  for (AffineExpr difference :
       cross(large, small, [&](AffineExpr a, AffineExpr b) {
         return a - b - (isStrict ? 1 : 0);
       })) {
    expressions.push_back(difference);
    isEquality.push_back(false);
  }
  return true;
}

/// The operation on values that is `kind`; null if there is none.
static Value combine(OpBuilder &builder, Location loc,
                     isl_ast_expr_op_type kind, Value a, Value b) {
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  switch (kind) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return arith::AndIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return arith::OrIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_max:
    return arith::MaxSIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_min:
    return arith::MinSIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_add:
    return arith::AddIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_sub:
    return arith::SubIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_mul:
    return arith::MulIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
    return arith::FloorDivSIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r:
    return arith::RemSIOp::create(builder, loc, a, b);
  case isl_ast_expr_op_eq:
    return compare(arith::CmpIPredicate::eq);
  case isl_ast_expr_op_le:
    return compare(arith::CmpIPredicate::sle);
  case isl_ast_expr_op_lt:
    return compare(arith::CmpIPredicate::slt);
  case isl_ast_expr_op_ge:
    return compare(arith::CmpIPredicate::sge);
  case isl_ast_expr_op_gt:
    return compare(arith::CmpIPredicate::sgt);
  default:
    return {};
  }
}

Value ExpressionReader::value(OpBuilder &builder, Location loc,
                              const isl::ast_expr &expression) const {
  if (AffineExpr single = affine(expression)) {
    OpFoldResult result = affine::makeComposedFoldedAffineApply(
        builder, loc, map(single), getAsOpFoldResult(values));
    return getValueOrCreateConstantIndexOp(builder, loc, result);
  }
  isl_ast_expr_op_type kind = kindOf(expression);
  if (kind == isl_ast_expr_op_error)
    return {};
  SmallVector<Value> args;
  for (int i = 0, e = numArguments(expression); i < e; ++i) {
    args.push_back(value(builder, loc, argument(expression, i)));
    if (!args.back())
      return {};
  }
  if (kind == isl_ast_expr_op_cond || kind == isl_ast_expr_op_select)
    return arith::SelectOp::create(builder, loc, args[0], args[1], args[2]);
  if (kind == isl_ast_expr_op_minus)
    args.insert(args.begin(), arith::ConstantIndexOp::create(builder, loc, 0)),
        kind = isl_ast_expr_op_sub;
  Value result = args.front();
  for (Value arg : ArrayRef(args).drop_front()) {
    result = combine(builder, loc, kind, result, arg);
    if (!result)
      return {};
  }
  return result;
}
