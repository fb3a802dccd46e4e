//===- GenerateExpressions.cpp - isl's expressions as affine ones ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateExpressions.h"

#include "baco/Polyhedral/Context.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

isl::ast_expr baco::loopnest::argument(const isl::ast_expr &operation,
                                       int index) {
  return isl::manage(isl_ast_expr_get_op_arg(operation.get(), index));
}

static int numArguments(const isl::ast_expr &operation) {
  return isl_ast_expr_get_op_n_arg(operation.get());
}

isl_ast_expr_op_type baco::loopnest::kindOf(const isl::ast_expr &expression) {
  return isl_ast_expr_get_type(expression.get()) == isl_ast_expr_op
             ? isl_ast_expr_get_op_type(expression.get())
             : isl_ast_expr_op_error;
}

static bool isInteger(const isl::ast_expr &expression) {
  return isl_ast_expr_get_type(expression.get()) == isl_ast_expr_int;
}

/// Nothing if sums of numbers of this size might overflow.
static std::optional<int64_t> multiply(std::optional<int64_t> a, int64_t b) {
  constexpr int64_t largest = int64_t(1) << 53;
  int64_t product;
  if (!a || llvm::MulOverflow(*a, b, product) || product > largest ||
      product < -largest)
    return std::nullopt;
  return product;
}

static std::optional<int64_t> integer(const isl::ast_expr &expression) {
  return multiply(
      polyhedral::toInt64(isl::manage(isl_ast_expr_get_val(expression.get()))),
      1);
}

/// The index of the operand of a product that is a number, if one is.
static std::optional<int> numberIn(const isl::ast_expr &product) {
  for (int i : {0, 1})
    if (isInteger(argument(product, i)))
      return i;
  return std::nullopt;
}

static std::string name(const isl::ast_expr &expression) {
  isl::id id = isl::manage(isl_ast_expr_get_id(expression.get()));
  return id.name();
}

void ExpressionReader::push(std::string name, Value value, int64_t stride,
                            int64_t origin) {
  names.push_back({std::move(name),
                   getAffineDimExpr(values.size(), context) - origin, stride,
                   /*hasValue=*/true});
  values.push_back(value);
}

void ExpressionReader::push(std::string name, AffineExpr multiple,
                            int64_t stride) {
  names.push_back({std::move(name), multiple, stride, /*hasValue=*/false});
}

void ExpressionReader::pop() {
  if (names.back().hasValue)
    values.pop_back();
  names.pop_back();
}

AffineMap ExpressionReader::map(ArrayRef<AffineExpr> results) const {
  return AffineMap::get(values.size(), 0, results, context);
}

const ExpressionReader::Name *
ExpressionReader::find(const isl::ast_expr &id) const {
  std::string wanted = name(id);
  for (const Name &known : llvm::reverse(names))
    if (known.name == wanted)
      return &known;
  return nullptr;
}

AffineExpr ExpressionReader::affine(const isl::ast_expr &expression,
                                    int64_t factor) const {
  if (isInteger(expression)) {
    std::optional<int64_t> value = multiply(integer(expression), factor);
    return value ? getAffineConstantExpr(*value, context) : AffineExpr();
  }
  if (isl_ast_expr_get_type(expression.get()) == isl_ast_expr_id) {
    const Name *known = find(expression);
    if (!known)
      return {};
    return factor % known->stride == 0
               ? known->multiple * (factor / known->stride)
               : known->multiple.floorDiv(known->stride) * factor;
  }
  auto read = [&](int index, std::optional<int64_t> times) {
    return times ? affine(argument(expression, index), *times) : AffineExpr();
  };
  // The factor multiplies the quotient, not the dividend.
  auto divided = [&](bool wantRest) -> AffineExpr {
    AffineExpr left = read(0, 1), right = read(1, 1);
    if (!left || !right)
      return {};
    return (wantRest ? left % right : left.floorDiv(right)) * factor;
  };
  auto sum = [&](int64_t secondFactor) -> AffineExpr {
    AffineExpr left = read(0, factor), right = read(1, secondFactor);
    return left && right ? left + right : AffineExpr();
  };
  switch (kindOf(expression)) {
  case isl_ast_expr_op_minus:
    return read(0, -factor);
  case isl_ast_expr_op_add:
    return sum(factor);
  case isl_ast_expr_op_sub:
    return sum(-factor);
  case isl_ast_expr_op_mul:
    if (std::optional<int> number = numberIn(expression))
      return read(1 - *number,
                  multiply(integer(argument(expression, *number)), factor));
    return {};
  case isl_ast_expr_op_div: // Without remainder.
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
    return divided(/*wantRest=*/false);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // Of which only the zeros matter.
    return divided(/*wantRest=*/true);
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
ExpressionReader::extremum(const isl::ast_expr &expression, bool wantMinimum,
                           int64_t factor) const {
  if (AffineExpr single = affine(expression, factor))
    return {single};
  isl_ast_expr_op_type kind = kindOf(expression);
  if (kind == isl_ast_expr_op_error)
    return {};
  auto part = [&](int index, bool minimum, int64_t times) {
    return extremum(argument(expression, index), minimum, times);
  };
  auto add = [](AffineExpr a, AffineExpr b) { return a + b; };
  auto subtract = [](AffineExpr a, AffineExpr b) { return a - b; };
  AffineExpr zero = getAffineConstantExpr(0, context);
  switch (kind) {
  case isl_ast_expr_op_min:
  case isl_ast_expr_op_max: {
    if ((kind == isl_ast_expr_op_min) != wantMinimum)
      return {};
    SmallVector<AffineExpr> all;
    for (int i = 0, e = numArguments(expression); i < e; ++i) {
      SmallVector<AffineExpr> some = part(i, wantMinimum, factor);
      if (some.empty())
        return {};
      all.append(some);
    }
    return all;
  }
  case isl_ast_expr_op_minus:
    return cross(zero, part(0, !wantMinimum, factor), subtract);
  case isl_ast_expr_op_add:
    return cross(part(0, wantMinimum, factor), part(1, wantMinimum, factor),
                 add);
  case isl_ast_expr_op_sub:
    return cross(part(0, wantMinimum, factor), part(1, !wantMinimum, factor),
                 subtract);
  case isl_ast_expr_op_mul: {
    std::optional<int> number = numberIn(expression);
    std::optional<int64_t> times =
        number ? multiply(integer(argument(expression, *number)), factor)
               : std::nullopt;
    if (!times || *times == 0)
      return {};
    if (*times > 0)
      return part(1 - *number, wantMinimum, *times);
    return cross(zero, part(1 - *number, !wantMinimum, -*times), subtract);
  }
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q: {
    // Isl divides by positive integers only; rounding down is monotonic.
    std::optional<int64_t> divisor = integer(argument(expression, 1));
    if (!divisor)
      return {};
    return llvm::map_to_vector(part(0, wantMinimum, 1), [&](AffineExpr term) {
      return term.floorDiv(*divisor) * factor;
    });
  }
  default:
    return {};
  }
}

/// A factor of the expression with which names need no division by their
/// strides.
int64_t ExpressionReader::commonStride(const isl::ast_expr &expression) const {
  if (isInteger(expression))
    return 1;
  if (isl_ast_expr_get_type(expression.get()) == isl_ast_expr_id) {
    const Name *known = find(expression);
    return known ? known->stride : 1;
  }
  int64_t common = 1;
  for (int i = 0, e = numArguments(expression); i < e; ++i) {
    int64_t own = commonStride(argument(expression, i));
    common = multiply(common, own / std::gcd(common, own)).value_or(common);
  }
  return common;
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
  int64_t factor = commonStride(condition);
  if (kind == isl_ast_expr_op_eq) {
    AffineExpr a = affine(argument(condition, 0), factor);
    AffineExpr b = affine(argument(condition, 1), factor);
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
  auto large = extremum(argument(condition, isGreater ? 0 : 1), true, factor);
  auto small = extremum(argument(condition, isGreater ? 1 : 0), false, factor);
  if (large.empty() || small.empty())
    return false;
  bool isStrict = kind == isl_ast_expr_op_gt || kind == isl_ast_expr_op_lt;
  for (AffineExpr difference :
       cross(large, small, [&](AffineExpr a, AffineExpr b) {
         return a - b - (isStrict ? factor : 0);
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
  bool isChoice =
      kind == isl_ast_expr_op_cond || kind == isl_ast_expr_op_select;
  bool isLogical =
      kind == isl_ast_expr_op_and || kind == isl_ast_expr_op_and_then ||
      kind == isl_ast_expr_op_or || kind == isl_ast_expr_op_or_else;
  SmallVector<Value> args;
  for (int i = 0, e = numArguments(expression); i < e; ++i) {
    isl::ast_expr arg = argument(expression, i);
    args.push_back(isLogical || (isChoice && i == 0)
                       ? truth(builder, loc, arg)
                       : value(builder, loc, arg));
    if (!args.back())
      return {};
  }
  if (isChoice)
    return arith::SelectOp::create(builder, loc, args[0], args[1], args[2]);
  if (kind == isl_ast_expr_op_minus) {
    args.insert(args.begin(), arith::ConstantIndexOp::create(builder, loc, 0));
    kind = isl_ast_expr_op_sub;
  }
  Value result = args.front();
  for (Value arg : ArrayRef(args).drop_front()) {
    result = combine(builder, loc, kind, result, arg);
    if (!result)
      return {};
  }
  return result;
}

Value ExpressionReader::truth(OpBuilder &builder, Location loc,
                              const isl::ast_expr &expression) const {
  if (isInteger(expression))
    return arith::ConstantIntOp::create(builder, loc, integer(expression) != 0,
                                        1);
  return value(builder, loc, expression);
}
