//===- KernelPowers.cpp - Powers and roots in kernels ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y is 2^(y log2 x). An error of the logarithm is one of the result, y log2 x
// times as large; so both functions are computed in f64, with errors far below
// those of an f32.
//
//===----------------------------------------------------------------------===//

#include "FunctionWriter.h"
#include "KernelMath.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace baco::target;

using Predicate = arith::CmpFPredicate;

namespace {
/// Writes one function.
class PowerWriter : FunctionWriter {
public:
  explicit PowerWriter(Operation *op)
      : FunctionWriter(op), doubles(typeOf(builder.getF64Type())),
        x(op->getOperand(0)),
        wide(make<arith::ExtFOp>(doubles, op->getOperand(0))) {}

  Value write() {
    if (isa<math::Exp2Op>(op))
      return keepNaN(round(powerOfTwo(wide)));
    if (isa<math::PowFOp>(op))
      return power();
    if (isa<math::CbrtOp>(op)) {
      Value third = make<arith::MulFOp>(logarithm(), number(doubles, 1.0 / 3));
      // Zeros and infinities are their own roots; and NaN.
      Value root = make<math::CopySignOp>(round(powerOfTwo(third)), x);
      return keepNaN(root);
    }
    if (isa<math::Log10Op>(op))
      return decimal();
    assert((isa<math::SinhOp, math::CoshOp>(op)) && "see isPower");
    return hyperbolic();
  }

private:
  Value round(Value value) { return make<arith::TruncFOp>(floats, value); }
  Value select(Value condition, Value yes, Value no) {
    return make<arith::SelectOp>(condition, yes, no);
  }
  Value keepNaN(Value result) {
    return select(compare(Predicate::UNO, x, x), x, result);
  }

  /// 2^`exponent`, 0 or infinity as an f32 for exponents of any size.
  Value powerOfTwo(Value exponent) {
    constexpr double largest = 160;
    auto limit = [&](Predicate predicate, double bound) {
      Value number = this->number(doubles, bound);
      exponent = select(compare(predicate, exponent, number), exponent, number);
    };
    // NaN, too, has an integer next to it then.
    limit(Predicate::OLT, largest);
    limit(Predicate::OGT, -largest);
    Value whole = make<math::RoundEvenOp>(exponent);
    Value rest = make<arith::MulFOp>(make<arith::SubFOp>(exponent, whole),
                                     number(doubles, std::numbers::ln2));
    // The series of the exponential: |rest| is at most 0.35.
    Value fraction =
        polynomial(rest, {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                          1.0 / 24, 1.0 / 6, 0.5, 1, 1});
    Value biased = make<arith::AddIOp>(make<arith::FPToSIOp>(longs, whole),
                                       integer(longs, 1023));
    Value scale = make<arith::BitcastOp>(
        doubles, make<arith::ShLIOp>(biased, integer(longs, 52)));
    return make<arith::MulFOp>(fraction, scale);
  }

  /// log2 |x|; of NaN it is any number.
  Value logarithm() {
    Value size = make<math::AbsFOp>(wide);
    Value bits = make<arith::BitcastOp>(longs, size);
    // Such that the rest is between the roots of 1/2 and 2.
    constexpr uint64_t rootOfHalf = 0x3fe6a09e667f3bcd;
    Value above = make<arith::SubIOp>(bits, integer(longs, rootOfHalf));
    Value exponent = make<arith::ShRSIOp>(above, integer(longs, 52));
    Value rest = make<arith::BitcastOp>(
        doubles, make<arith::SubIOp>(
                     bits, make<arith::ShLIOp>(exponent, integer(longs, 52))));
    Value one = number(doubles, 1);
    // log m = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.18.
    Value ratio = make<arith::DivFOp>(make<arith::SubFOp>(rest, one),
                                      make<arith::AddFOp>(rest, one));
    Value series = polynomial(
        make<arith::MulFOp>(ratio, ratio),
        {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1});
    Value ofRest =
        make<arith::MulFOp>(make<arith::MulFOp>(ratio, series),
                            number(doubles, 2 * std::numbers::log2e));
    Value sum =
        make<arith::AddFOp>(ofRest, make<arith::SIToFPOp>(doubles, exponent));
    Value isZero = compare(Predicate::OEQ, size, number(doubles, 0));
    Value isInfinite = compare(Predicate::OEQ, size, number(doubles, INFINITY));
    return select(isZero, number(doubles, -INFINITY),
                  select(isInfinite, number(doubles, INFINITY), sum));
  }

  Value decimal() {
    Value result = round(make<arith::MulFOp>(
        logarithm(), number(doubles, std::numbers::ln2 / std::numbers::ln10)));
    Value isNegative = compare(Predicate::OLT, x, number(floats, 0));
    return keepNaN(select(isNegative, number(floats, NAN), result));
  }

  /// As C's pow: 1 if x is 1 or y is 0, and of negative x only for integers y.
  Value power() {
    Value y = op->getOperand(1), one = number(floats, 1),
          zero = number(floats, 0);
    Value exponent =
        make<arith::MulFOp>(logarithm(), make<arith::ExtFOp>(doubles, y));
    Value size = make<math::AbsFOp>(x);
    Value result = round(powerOfTwo(exponent));
    // Also to an infinite power, where the exponent is NaN.
    result = select(compare(Predicate::OEQ, size, one), one, result);
    Value isWhole = compare(Predicate::OEQ, make<math::TruncOp>(y), y);
    Value half = make<arith::MulFOp>(y, number(floats, 0.5));
    Value isEven = compare(Predicate::OEQ, make<math::TruncOp>(half), half);
    Value isOdd =
        make<arith::AndIOp>(isWhole, make<arith::XOrIOp>(isEven, truth()));
    result = select(isOdd, make<math::CopySignOp>(result, x), result);
    Value isReal = make<arith::OrIOp>(
        isWhole, make<arith::OrIOp>(
                     compare(Predicate::OGE, x, zero),
                     compare(Predicate::OEQ, size, number(floats, INFINITY))));
    result = select(isReal, result, number(floats, NAN));
    result = select(compare(Predicate::UNO, x, y), make<arith::AddFOp>(x, y),
                    result);
    Value isOne = make<arith::OrIOp>(compare(Predicate::OEQ, x, one),
                                     compare(Predicate::OEQ, y, zero));
    return select(isOne, one, result);
  }

  Value truth() { return integer(typeOf(builder.getI1Type()), 1); }

  /// sinh and cosh, of e^x and its reciprocal.
  Value hyperbolic() {
    Value up = powerOfTwo(
        make<arith::MulFOp>(wide, number(doubles, std::numbers::log2e)));
    Value down = make<arith::DivFOp>(number(doubles, 1), up);
    Value half = number(doubles, 0.5);
    if (isa<math::CoshOp>(op))
      return keepNaN(
          round(make<arith::MulFOp>(make<arith::AddFOp>(up, down), half)));
    Value difference =
        round(make<arith::MulFOp>(make<arith::SubFOp>(up, down), half));
    // The series x + x^3 / 6 is exact enough where both are nearly 1.
    Value cube =
        make<arith::MulFOp>(make<arith::MulFOp>(x, x), number(floats, 1.0 / 6));
    Value series = make<math::FmaOp>(cube, x, x);
    Value isSmall =
        compare(Predicate::OLT, make<math::AbsFOp>(x), number(floats, 0x1p-6));
    return keepNaN(select(isSmall, series, difference));
  }

  Type doubles;
  Value x, wide;
};
} // namespace

bool baco::target::isPower(Operation *op) {
  return isa<math::CbrtOp, math::CoshOp, math::Exp2Op, math::Log10Op,
             math::PowFOp, math::SinhOp>(op);
}

void baco::target::expandPowers(Operation *root) {
  SmallVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (isPower(op) && getElementTypeOrSelf(op->getResult(0)).isF32())
      functions.push_back(op);
  });
  for (Operation *op : functions) {
    op->getResult(0).replaceAllUsesWith(PowerWriter(op).write());
    op->erase();
  }
}
