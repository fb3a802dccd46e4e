//===- KernelTrigonometry.cpp - Sines and cosines in kernels -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument is reduced to a quarter turn by integers, as Payne and Hanek do
// (ACM SIGNUM Newsletter 18 (1), 1983): an f32 is m 2^e with an integer m, and
// of 2 / pi only the bits matter that are multiplied to less than four
// quarters. Upstream's polynomials lose large arguments.
//
//===----------------------------------------------------------------------===//

#include "FunctionWriter.h"
#include "KernelMath.h"

#include <cmath>

using namespace mlir;
using namespace baco::target;

/// 2^(318 - 24) * 2 / pi, in words of 64 bits: with two bits before the point.
static constexpr uint64_t twoOverPi[] = {0x00000028be60db93, 0x91054a7f09d5f47d,
                                         0x4d377036d8a5664f, 0x10e4107f9458eaf7,
                                         0xaef1586dc91b8e90};
/// The least exponent e that is reduced: from 0.5 on.
static constexpr int64_t leastExponent = -24;

namespace {
/// Writes one function.
class TurnWriter : FunctionWriter {
public:
  explicit TurnWriter(Operation *op)
      : FunctionWriter(op), ints(typeOf(builder.getI32Type())) {}

  Value write() {
    Value argument = op->getOperand(0);
    bool isSine = isa<math::SinOp>(op);
    Value bits = make<arith::BitcastOp>(ints, argument);
    Value x = make<math::AbsFOp>(argument);
    reduce(bits);
    // A small angle is exact as it is.
    Value isSmall = make<arith::CmpFOp>(arith::CmpFPredicate::OLE, x,
                                        number(0.785398163397448));
    rest = make<arith::SelectOp>(isSmall, x, rest);
    quarter = make<arith::SelectOp>(isSmall, integer(longs, 0), quarter);
    if (!isSine)
      quarter = make<arith::AddIOp>(quarter, integer(longs, 1));
    // Both are computed: lanes of a warp, and elements of a vector, differ.
    Value isOdd = isBitSet(quarter, 1);
    Value result = make<arith::SelectOp>(isOdd, cosine(), sine());
    Value isNegative = isBitSet(quarter, 2);
    if (isSine)
      isNegative = make<arith::XOrIOp>(
          isNegative, make<arith::CmpIOp>(arith::CmpIPredicate::slt, bits,
                                          integer(ints, 0)));
    result =
        make<arith::SelectOp>(isNegative, make<arith::NegFOp>(result), result);
    // NaN and infinity have no place in a turn.
    Value isFinite =
        make<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, number(INFINITY));
    return make<arith::SelectOp>(isFinite, result,
                                 make<arith::SubFOp>(argument, argument));
  }

private:
  using FunctionWriter::number;
  Value number(double value) { return number(floats, value); }
  Value isBitSet(Value value, uint64_t bit) {
    Value masked = make<arith::AndIOp>(value, integer(longs, bit));
    return make<arith::CmpIOp>(arith::CmpIPredicate::ne, masked,
                               integer(longs, 0));
  }

  /// Sets `quarter`, the number of quarter turns to the nearest in its low
  /// bits, and `rest`, the angle that is left, for a float of 0.5 or more.
  void reduce(Value bits) {
    Value positive = make<arith::AndIOp>(bits, integer(ints, 0x7fffffff));
    Value exponent = make<arith::ExtUIOp>(
        longs, make<arith::ShRUIOp>(positive, integer(ints, 23)));
    Value mantissa = make<arith::ExtUIOp>(
        longs,
        make<arith::OrIOp>(make<arith::AndIOp>(bits, integer(ints, 0x7fffff)),
                           integer(ints, 0x800000)));
    // The first bit that matters. Angles of less than 0.5, whose rest isn't
    // taken, have that of 0.5.
    Value first = make<arith::MaxSIOp>(
        make<arith::SubIOp>(exponent, integer(longs, 150 + leastExponent)),
        integer(longs, 0));
    Value shift = make<arith::AndIOp>(first, integer(longs, 63));
    // Three words from one on have 128 bits from any bit of it on; a table in
    // memory would cost a load.
    Value inWord[] = {make<arith::CmpIOp>(arith::CmpIPredicate::uge, first,
                                          integer(longs, 64)),
                      make<arith::CmpIOp>(arith::CmpIPredicate::uge, first,
                                          integer(longs, 128))};
    Value words[3];
    for (int i = 0; i < 3; ++i) {
      Value later =
          make<arith::SelectOp>(inWord[1], integer(longs, twoOverPi[i + 2]),
                                integer(longs, twoOverPi[i + 1]));
      words[i] =
          make<arith::SelectOp>(inWord[0], later, integer(longs, twoOverPi[i]));
    }
    auto window = [&](Value high, Value low) {
      // A shift by 64 would be undefined.
      Value half = make<arith::ShRUIOp>(low, integer(longs, 1));
      Value back = make<arith::SubIOp>(integer(longs, 63), shift);
      return make<arith::OrIOp>(make<arith::ShLIOp>(high, shift),
                                make<arith::ShRUIOp>(half, back));
    };
    // Whole turns overflow, and are lost.
    Value high = make<arith::MulIOp>(mantissa, window(words[0], words[1]));
    Value upper =
        make<arith::ShRUIOp>(window(words[1], words[2]), integer(longs, 32));
    Value carry = make<arith::ShRUIOp>(make<arith::MulIOp>(mantissa, upper),
                                       integer(longs, 32));
    // Quarter turns, with 62 bits behind the point.
    Value product = make<arith::AddIOp>(high, carry);
    quarter = make<arith::ShRUIOp>(
        make<arith::AddIOp>(product, integer(longs, uint64_t(1) << 61)),
        integer(longs, 62));
    Value fraction = make<arith::SubIOp>(
        product, make<arith::ShLIOp>(quarter, integer(longs, 62)));
    rest = make<arith::MulFOp>(make<arith::SIToFPOp>(floats, fraction),
                               number(1.5707963267948966 * 0x1p-62));
  }

  /// The functions of `rest`. The coefficients are those of sinf and cosf in
  /// Moshier's Cephes library.
  Value sine() {
    Value square = make<arith::MulFOp>(rest, rest);
    Value sum = polynomial(
        square, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
    return make<math::FmaOp>(make<arith::MulFOp>(sum, square), rest, rest);
  }
  Value cosine() {
    Value square = make<arith::MulFOp>(rest, rest);
    Value sum = polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3,
                                    4.166664568298827e-2, -0.5});
    return make<math::FmaOp>(sum, square, number(1));
  }
  Type ints;
  Value quarter, rest;
};
} // namespace

bool baco::target::isTrigonometric(Operation *op) {
  return isa<math::SinOp, math::CosOp, math::TanOp>(op);
}

/// A tangent as a quotient.
static Value divide(math::TanOp op) {
  OpBuilder builder(op);
  Value sine = math::SinOp::create(builder, op.getLoc(), op.getOperand()),
        cosine = math::CosOp::create(builder, op.getLoc(), op.getOperand());
  return arith::DivFOp::create(builder, op.getLoc(), sine, cosine);
}

void baco::target::expandTrigonometry(Operation *root) {
  auto listAll = [&] {
    SmallVector<Operation *> functions;
    root->walk([&](Operation *op) {
      if (isTrigonometric(op) && getElementTypeOrSelf(op->getResult(0)).isF32())
        functions.push_back(op);
    });
    return functions;
  };
  auto replace = [](Operation *op, Value result) {
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  };
  for (Operation *op : listAll())
    if (auto tangent = dyn_cast<math::TanOp>(op))
      replace(op, divide(tangent));
  for (Operation *op : listAll())
    replace(op, TurnWriter(op).write());
}
