//===- VectorMath.cpp - Functions as polynomials --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns for ops whose errors were measured, with a pattern of our
// own where upstream's has no denormal numbers.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/LowerToLoops.h"
#include "baco/Target/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#include <cmath>

#define DEBUG_TYPE "baco-vector-math"

namespace baco::target {
#define GEN_PASS_DEF_VECTORMATHPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// Whether upstream's polynomial for `op` is accurate for all arguments (sine,
/// cosine, cubic root and arcus tangent are not).
static bool isAccurateUpstream(Operation *op) {
  return isa<math::AcosOp, math::AsinOp, math::ErfOp, math::ErfcOp,
             math::ExpM1Op, math::Log1pOp, math::TanhOp>(op);
}

/// The sum of this and a small float has no bits below those of an integer.
static constexpr double roundToInteger = 0x1.8p23;

namespace {
/// Operations on f32 or vectors of them, and on as many i32.
class Lanes {
public:
  Lanes(OpBuilder &builder, Location loc, Type floats)
      : builder(builder), loc(loc), floats(floats),
        integers(builder.getI32Type()) {
    if (auto vector = dyn_cast<VectorType>(floats))
      integers = vector.cloneWith({}, integers);
  }

  Value number(double value) {
    return constant(floats, builder.getF32FloatAttr(float(value)));
  }
  Value add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
  Value multiply(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value multiplyAdd(Value a, Value b, Value c) {
    return make<math::FmaOp>(a, b, c);
  }
  Value select(Value condition, Value a, Value b) {
    return make<arith::SelectOp>(condition, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return make<arith::CmpFOp>(predicate, a, b);
  }
  Value subtract(Value a, Value b) { return make<arith::SubFOp>(a, b); }
  /// The positive float without a mantissa whose biased exponent is in the low
  /// bits of `a`.
  Value lowBitsAsExponent(Value a) {
    return make<arith::BitcastOp>(Type(floats), shiftToExponent(a));
  }
  /// `a` times 2^n, where n is in the low bits of `n` and neither `a` nor the
  /// result is zero, denormal or infinite.
  Value scale(Value a, Value n) {
    Value bits = make<arith::BitcastOp>(Type(integers), a);
    Value scaled = make<arith::AddIOp>(bits, shiftToExponent(n));
    return make<arith::BitcastOp>(Type(floats), scaled);
  }
  /// Whether the absolute values of all lanes are at most `most`.
  Value areAllWithin(Value a, double most) {
    // NaN is not within, and so takes the way that keeps it.
    Value within =
        compare(arith::CmpFPredicate::OLE, make<math::AbsFOp>(a), number(most));
    return make<vector::ReductionOp>(vector::CombiningKind::AND, within);
  }
  /// One of two values; only that one is computed.
  Value choose(Value condition, function_ref<Value(Lanes &)> a,
               function_ref<Value(Lanes &)> b) {
    auto branch = [&](function_ref<Value(Lanes &)> compute) {
      return [this, compute](OpBuilder &inside, Location loc) {
        // Ops of a branch have to be built by the builder of its region.
        Lanes lanes(inside, loc, floats);
        scf::YieldOp::create(inside, loc, compute(lanes));
      };
    };
    return scf::IfOp::create(builder, loc, condition, branch(a), branch(b))
        .getResult(0);
  }

private:
  /// The low bits of `a` in the place of the exponent.
  Value shiftToExponent(Value a) {
    Value bits = make<arith::BitcastOp>(Type(integers), a);
    Value mantissaBits = constant(integers, builder.getI32IntegerAttr(23));
    return make<arith::ShLIOp>(bits, mantissaBits);
  }

  Value constant(Type type, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }

  template <typename Op, typename... Arguments>
  Value make(Arguments &&...arguments) {
    return Op::create(builder, loc, std::forward<Arguments>(arguments)...);
  }

  OpBuilder &builder;
  Location loc;
  Type floats, integers;
};
} // namespace

/// exp(r), where x = n ln(2) + r with |r| <= ln(2) / 2, and a value with n in
/// its low bits, plus those of `bias`. 1 + r + r^2 q(r) has a relative error of
/// less than 4e-9: q is the minimax polynomial, found by Lawson's iteration.
static std::pair<Value, Value> reducedExp(Lanes &lanes, Value x, Value bias) {
  // Adding this rounds to an integer, which is then in the low bits. A
  // conversion would have no result for NaN.
  Value shifted = lanes.multiplyAdd(x, lanes.number(1.4426950408889634), bias);
  Value n = lanes.subtract(shifted, bias);
  // ln(2) in two parts, so that n times the first is exact.
  Value r = lanes.multiplyAdd(n, lanes.number(-0.693359375), x);
  r = lanes.multiplyAdd(n, lanes.number(2.1219444005469057e-4), r);
  Value p = lanes.number(0x1.6a23dp-10);
  for (double coefficient :
       {0x1.123a2p-7, 0x1.5558f2p-5, 0x1.555492p-3, 0x1.fffffcp-2, 1.0, 1.0})
    p = lanes.multiplyAdd(p, r, lanes.number(coefficient));
  return {p, shifted};
}

/// exp(x) of any number.
static Value anyExp(Lanes &lanes, Value x) {
  // Out of this range the result is 0 or infinite. NaN stays.
  // exp(-104) is less than half of the smallest denormal number, and exp(89)
  // exceeds the largest float.
  Value low = lanes.number(-104), high = lanes.number(89);
  using arith::CmpFPredicate;
  x = lanes.select(lanes.compare(CmpFPredicate::OLT, x, low), low, x);
  x = lanes.select(lanes.compare(CmpFPredicate::OGT, x, high), high, x);
  // 2^n may be out of range although the result is in range: compute it as
  // 2^(n + 64) times 2^-64, or, if x isn't negative, as 2^(n - 64) times 2^64.
  Value isNegative = lanes.compare(CmpFPredicate::OLT, x, lanes.number(0));
  auto bySign = [&](double negative, double other) {
    return lanes.select(isNegative, lanes.number(negative),
                        lanes.number(other));
  };
  // With the bias of exponents.
  auto [p, n] = reducedExp(
      lanes, x, bySign(roundToInteger + 127 + 64, roundToInteger + 127 - 64));
  p = lanes.multiply(p, lanes.lowBitsAsExponent(n));
  return lanes.multiply(p, bySign(0x1p-64, 0x1p64));
}

/// exp(x) of numbers whose results are normal.
static Value normalExp(Lanes &lanes, Value x) {
  auto [p, n] = reducedExp(lanes, x, lanes.number(roundToInteger));
  return lanes.scale(p, n);
}

namespace {
/// Upstream's exponential function has no denormal results. Most vectors have
/// none either, so that it takes two thirds of the operations to scale by
/// adding to exponents.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Lanes lanes(rewriter, op.getLoc(), op.getType());
    Value x = op.getOperand();
    // Reductions are of one dimension, and threads of a GPU would diverge.
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector || vector.getRank() != 1 ||
        op->getParentOfType<gpu::GPUModuleOp>()) {
      rewriter.replaceOp(op, anyExp(lanes, x));
      return success();
    }
    // Results are in [2^-126, 2^126].
    constexpr double most = 87;
    rewriter.replaceOp(op,
                       lanes.choose(
                           lanes.areAllWithin(x, most),
                           [&](Lanes &inside) { return normalExp(inside, x); },
                           [&](Lanes &inside) { return anyExp(inside, x); }));
    return success();
  }
};

/// Upstream's logarithm takes denormal numbers for the smallest normal one:
/// lets it have 2^24 times as much.
void scaleDenormals(Operation *op, double logOfTwo) {
  OpBuilder builder(op);
  Lanes lanes(builder, op->getLoc(), op->getResult(0).getType());
  Value x = op->getOperand(0);
  // Zero and negative numbers are scaled, too, which keeps their logarithms,
  // minus infinity and NaN.
  Value isDenormal =
      lanes.compare(arith::CmpFPredicate::OLT, x, lanes.number(0x1p-126));
  op->setOperand(
      0, lanes.select(isDenormal, lanes.multiply(x, lanes.number(0x1p24)), x));
  builder.setInsertionPointAfter(op);
  Value shifted = lanes.add(op->getResult(0), lanes.number(-24 * logOfTwo));
  Value result = lanes.select(isDenormal, shifted, op->getResult(0));
  op->getResult(0).replaceUsesWithIf(result, [&](OpOperand &use) {
    return use.getOwner() != shifted.getDefiningOp() &&
           use.getOwner() != result.getDefiningOp();
  });
}

/// Calls the C library for functions that upstream's lowering computes by
/// others, which loses all digits of small arguments: exp(x) - 1, log(1 + x).
LogicalResult callLibrary(ModuleOp module) {
  SmallVector<Operation *> functions;
  // Vectors of f32 have their polynomials by now, so scalars and other types
  // are left.
  module.walk([&](Operation *op) {
    if (isa<math::ExpM1Op, math::Log1pOp>(op))
      functions.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  populateMathToLibmConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(functions, std::move(patterns), config);
}

struct VectorMath : baco::target::impl::VectorMathPassBase<VectorMath> {
protected:
  void runOnOperation() override {
    if (failed(baco::target::expandFunctions(getOperation(),
                                             llvm::IsaPred<VectorType>)) ||
        failed(callLibrary(getOperation())))
      signalPassFailure();
  }
};
} // namespace

bool baco::target::hasPolynomial(Operation *op) {
  return isa<math::ExpOp, math::LogOp, math::Log2Op>(op) ||
         isAccurateUpstream(op);
}

LogicalResult baco::target::expandFunctions(Operation *root,
                                            function_ref<bool(Type)> isWanted) {
  SmallVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (!hasPolynomial(op) || !getElementTypeOrSelf(op->getResult(0)).isF32() ||
        !isWanted(op->getResult(0).getType()))
      return;
    functions.push_back(op);
  });
  LDBG() << functions.size() << " functions become polynomials";
  if (functions.empty())
    return success();
  for (Operation *op : functions) {
    if (isa<math::LogOp>(op))
      scaleDenormals(op, std::log(2.0));
    else if (isa<math::Log2Op>(op))
      scaleDenormals(op, 1);
  }
  RewritePatternSet patterns(root->getContext());
  patterns.add<ExpandExp>(root->getContext());
  populateMathPolynomialApproximationPatterns(
      // ExpandExp has to be the only pattern for it.
      patterns, [](StringRef name) { return name != "math.exp"; });
  // Some are made of others: expm1 and log1p.
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(functions, std::move(patterns), config);
}
