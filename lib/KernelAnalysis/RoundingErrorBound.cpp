//===- RoundingErrorBound.cpp - A kernel whose results bound another's ----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats become pairs, for which complex numbers stand, as all ops that move
// floats move these, too.
//
//===----------------------------------------------------------------------===//

#include "baco/KernelAnalysis/KernelSignature.h"

#include "baco/LoopNest/GeneratedDialects.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// Whether a constant may be a term that cancels others: maxima begin with
/// minus infinity.
static bool hasNegative(Attribute value) {
  auto cancels = [](const APFloat &number) {
    return number.isNegative() && !number.isInfinity();
  };
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return cancels(number.getValue());
  auto numbers = dyn_cast_or_null<DenseFPElementsAttr>(value);
  return numbers && llvm::any_of(numbers.getValues<APFloat>(), cancels);
}

/// The constants in memory that `op` takes the address of; null: none.
static memref::GlobalOp findGlobal(memref::GetGlobalOp op) {
  return SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
}

/// Whether the result of `op` is one of its operands, both floats.
static bool isExtremum(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op);
}

/// Moves floats, or computes none.
static bool isTransparent(Operation *op) {
  if (isa<memref::MemRefDialect, affine::AffineDialect, scf::SCFDialect,
          tensor::TensorDialect, bufferization::BufferizationDialect>(
          op->getDialect()) ||
      isa<func::FuncOp, func::ReturnOp, linalg::YieldOp, linalg::IndexOp,
          linalg::LinalgOp>(op))
    return true;
  return llvm::none_of(op->getOperandTypes(), isFloat) &&
         llvm::none_of(op->getResultTypes(), isFloat) &&
         isa<arith::ArithDialect>(op->getDialect());
}

bool baco::target::needsErrorBound(func::FuncOp kernel) {
  // Absolute values also say nothing about a quotient by a sum whose terms
  // cancel, or where an upper limit hides how large the terms are.
  bool cancels = false;
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      cancels |= hasNegative(constant.getValue());
    else if (auto address = dyn_cast<memref::GetGlobalOp>(op))
      cancels |= hasNegative(findGlobal(address).getInitialValueAttr());
    else if (isa<arith::SubFOp, arith::NegFOp, arith::MinimumFOp,
                 arith::MinNumFOp>(op) ||
             (isa<arith::SelectOp>(op) && isFloat(op->getResult(0).getType())))
      cancels = true;
    else if (auto quotient = dyn_cast<arith::DivFOp>(op))
      cancels |= !matchPattern(quotient.getRhs(), m_Constant());
    else if (!isa<arith::AddFOp, arith::MulFOp, arith::ExtFOp, arith::TruncFOp,
                  arith::CmpFOp, arith::SelectOp, arith::SIToFPOp,
                  arith::UIToFPOp, math::FmaOp, math::SqrtOp, math::AbsFOp>(
                 op) &&
             !isExtremum(op) && !isTransparent(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return cancels && !walked.wasInterrupted();
}

/// The type of pairs that stand for floats of `type`; other types are as they
/// are. Null: there are none.
static Type pairType(Type type) {
  if (auto scalar = dyn_cast<FloatType>(type)) {
    if (scalar.getWidth() > 64)
      return nullptr;
    Builder builder(type.getContext());
    Type part = scalar.getWidth() <= 32 ? Type(builder.getF32Type())
                                        : builder.getF64Type();
    return ComplexType::get(part);
  }
  if (auto memory = dyn_cast<MemRefType>(type)) {
    Type element = pairType(memory.getElementType());
    return element ? memory.clone(element) : nullptr;
  }
  return type.isIntOrIndex() ? type : nullptr;
}

/// Can `op` have pairs instead of floats, once its types are others?
static bool takesPairs(Operation *op) {
  auto isPaired = [](Type type) { return pairType(type) != nullptr; };
  if (!llvm::all_of(op->getResultTypes(), isPaired))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!llvm::all_of(block.getArgumentTypes(), isPaired))
        return false;
  if (auto address = dyn_cast<memref::GetGlobalOp>(op))
    return !isFloat(address.getType()) || findGlobal(address).getConstant();
  // These ops depend on a number's value, or on its bytes.
  if (isa<memref::AtomicRMWOp, memref::ViewOp>(op))
    return llvm::none_of(op->getOperandTypes(), isFloat) &&
           llvm::none_of(op->getResultTypes(), isFloat);
  return !isa<affine::AffineParallelOp>(op) || op->getNumResults() == 0;
}

namespace {
/// Builds what a kernel on pairs needs.
class PairBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// The pair of an exact float.
  Value exact(Value number);
  /// Computes on pairs what `op` computes on floats; null if `op` takes pairs
  /// as it is.
  Value compute(Operation *op);
  /// Applies `change` to each element of `from`, into `to`.
  void copyEach(Value from, Value to, function_ref<Value(Value)> change);
  /// Max(|x|, e) of a pair.
  Value size(Value pair);
  Value cast(Value number, Type type);

private:
  Value value(Value pair) { return complex::ReOp::create(*this, pair); }
  Value bound(Value pair) { return complex::ImOp::create(*this, pair); }
  Value pair(Value value, Value bound) {
    return complex::CreateOp::create(*this, ComplexType::get(value.getType()),
                                     value, bound);
  }
  Value abs(Value number) { return math::AbsFOp::create(*this, number); }
  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(*this, a, b);
  }
  Value divide(Value a, Value b) { return arith::DivFOp::create(*this, a, b); }
  /// The value with that bound, or that of its own rounding.
  Value rounded(Value value, Value bound) {
    return pair(value, arith::MaximumFOp::create(*this, abs(value), bound));
  }
  Value sum(Value value, Value a, Value b) {
    return pair(value, add(size(a), size(b)));
  }
  Value product(Value a, Value b);
  Value quotient(Value a, Value b);
  Value root(Value a);
  Value extremum(Operation *op);
};
} // namespace

Value PairBuilder::cast(Value number, Type type) {
  unsigned from = number.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(*this, type, number);
  if (from > to)
    return arith::TruncFOp::create(*this, type, number);
  return number;
}

Value PairBuilder::exact(Value number) {
  Type type = ::cast<ComplexType>(pairType(number.getType())).getElementType();
  Value zero = arith::ConstantOp::create(*this, getFloatAttr(type, 0));
  return pair(cast(number, type), zero);
}

Value PairBuilder::size(Value pair) {
  return arith::MaximumFOp::create(*this, abs(value(pair)), bound(pair));
}

Value PairBuilder::product(Value a, Value b) {
  Value x = value(a), y = value(b);
  return rounded(multiply(x, y),
                 add(multiply(abs(x), bound(b)), multiply(bound(a), abs(y))));
}

Value PairBuilder::quotient(Value a, Value b) {
  Value y = value(b), x = divide(value(a), y);
  return rounded(x, divide(add(bound(a), multiply(abs(x), bound(b))), abs(y)));
}

Value PairBuilder::root(Value a) {
  Value x = math::SqrtOp::create(*this, value(a));
  // The root of an exact 0 is exact.
  Value zero = arith::ConstantOp::create(*this, getFloatAttr(x.getType(), 0));
  Value isExact =
      arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, bound(a), zero);
  return rounded(x, arith::SelectOp::create(*this, isExact, zero,
                                            divide(bound(a), add(x, x))));
}

Value PairBuilder::extremum(Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  Value x = value(a), y = value(b);
  Operation *chosen = clone(*op);
  chosen->setOperands({x, y});
  chosen->getResult(0).setType(x.getType());
  return pair(chosen->getResult(0),
              arith::MaximumFOp::create(*this, bound(a), bound(b)));
}

Value PairBuilder::compute(Operation *op) {
  if (isExtremum(op))
    return extremum(op);
  auto add = [&](Value a, Value b) {
    return sum(this->add(value(a), value(b)), a, b);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::ConstantOp constant) -> Value {
        if (!isa<FloatType>(constant.getType()))
          return {};
        return exact(clone(*op)->getResult(0));
      })
      .Case([&](arith::AddFOp op) { return add(op.getLhs(), op.getRhs()); })
      .Case([&](arith::SubFOp op) {
        Value a = op.getLhs(), b = op.getRhs();
        return sum(arith::SubFOp::create(*this, value(a), value(b)), a, b);
      })
      .Case([&](arith::NegFOp op) {
        Value a = op.getOperand();
        return pair(arith::NegFOp::create(*this, value(a)), bound(a));
      })
      .Case([&](arith::MulFOp op) { return product(op.getLhs(), op.getRhs()); })
      .Case(
          [&](arith::DivFOp op) { return quotient(op.getLhs(), op.getRhs()); })
      .Case([&](math::FmaOp op) {
        return add(product(op.getA(), op.getB()), op.getC());
      })
      .Case([&](math::SqrtOp op) { return root(op.getOperand()); })
      .Case([&](math::AbsFOp op) {
        Value a = op.getOperand();
        return pair(abs(value(a)), bound(a));
      })
      .Case([&](arith::CmpFOp op) -> Value {
        return arith::CmpFOp::create(*this, op.getPredicate(),
                                     value(op.getLhs()), value(op.getRhs()));
      })
      .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto op) {
        // Its type is that of pairs already.
        Type type = ::cast<ComplexType>(op.getType()).getElementType();
        return exact(
            decltype(op)::create(*this, type, op.getOperand()).getResult());
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto op) {
        Type type = ::cast<ComplexType>(op.getType()).getElementType();
        Value a = op.getOperand();
        return pair(cast(value(a), type), cast(bound(a), type));
      })
      .Default([](Operation *) { return Value(); });
}

void PairBuilder::copyEach(Value from, Value to,
                           function_ref<Value(Value)> change) {
  OpBuilder::InsertionGuard guard(*this);
  SmallVector<Value> indices;
  for (OpFoldResult extent : memref::getMixedSizes(*this, getLoc(), from)) {
    auto loop = affine::AffineForOp::create(
        *this, {}, AffineMap::getConstantMap(0, getContext()),
        getValueOrCreateConstantIndexOp(*this, getLoc(), extent),
        AffineMap::getMultiDimIdentityMap(1, getContext()));
    indices.push_back(loop.getInductionVar());
    setInsertionPointToStart(loop.getBody());
  }
  Value element = affine::AffineLoadOp::create(*this, from, indices);
  affine::AffineStoreOp::create(*this, change(element), to, indices);
}

/// Replaces `source`, a float or a memref of floats, by pairs in its users.
/// Returns the memref of pairs, if there is one.
static Value pairSource(PairBuilder &builder, Value source) {
  SmallVector<OpOperand *> uses = llvm::map_to_vector(
      source.getUses(), [](OpOperand &use) { return &use; });
  Value pairs;
  auto memory = dyn_cast<MemRefType>(source.getType());
  if (memory) {
    pairs = memref::AllocOp::create(
        builder, memref::getMixedSizes(builder, builder.getLoc(), source),
        cast<ComplexType>(pairType(memory.getElementType())));
    builder.copyEach(source, pairs,
                     [&](Value element) { return builder.exact(element); });
  } else {
    pairs = builder.exact(source);
  }
  for (OpOperand *use : uses)
    use->set(pairs);
  return memory ? pairs : Value();
}

/// Before the types of `ops` change, the kernel's outputs: for each argument
/// whether it is one. Fails if pairs can't stand for floats everywhere.
static FailureOr<SmallVector<bool>> findOutputs(func::FuncOp kernel,
                                                ArrayRef<Operation *> ops) {
  auto isPaired = [](Type type) { return pairType(type) != nullptr; };
  if (!llvm::all_of(kernel.getArgumentTypes(), isPaired) ||
      !llvm::all_of(ops, takesPairs))
    return failure();
  return llvm::map_to_vector(kernel.getArguments(), [](BlockArgument argument) {
    return isa<MemRefType>(argument.getType()) &&
           baco::target::mayWrite(argument);
  });
}

/// Constants and global memory become pairs later.
static void setPairTypes(Operation *op) {
  if (isa<arith::ConstantOp, memref::GetGlobalOp>(op))
    return;
  for (Value result : op->getResults())
    result.setType(pairType(result.getType()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        argument.setType(pairType(argument.getType()));
}

LogicalResult baco::target::makeErrorBound(func::FuncOp kernel) {
  Block &entry = kernel.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &top : entry)
    top.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  FailureOr<SmallVector<bool>> isOutput = findOutputs(kernel, ops);
  if (failed(isOutput))
    return failure();
  llvm::for_each(ops, setPairTypes);
  baco::loopnest::loadGeneratedDialects(kernel.getContext());
  kernel.getContext()->loadDialect<complex::ComplexDialect>();

  PairBuilder builder(kernel.getLoc(), &entry, entry.begin());
  SmallVector<Value> sources(
      llvm::make_filter_range(kernel.getArguments(), [](Value argument) {
        return isFloat(argument.getType());
      }));
  for (Operation *op : ops)
    if (isa<memref::GetGlobalOp>(op) && isFloat(op->getResult(0).getType())) {
      // Outside of all loops, and in front of what reads it here.
      op->moveBefore(&entry, builder.getInsertionPoint());
      builder.setInsertionPointAfter(op);
      sources.push_back(op->getResult(0));
    }
  PairBuilder atEnd(kernel.getLoc(), &entry, std::prev(entry.end()));
  for (Value source : sources) {
    Value pairs = pairSource(builder, source);
    auto argument = dyn_cast<BlockArgument>(source);
    if (argument && (*isOutput)[argument.getArgNumber()])
      atEnd.copyEach(pairs, source, [&](Value pair) {
        return atEnd.cast(atEnd.size(pair), getElementTypeOrSelf(source));
      });
    if (pairs)
      memref::DeallocOp::create(atEnd, pairs);
  }
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (Value pair = builder.compute(op)) {
      op->getResult(0).replaceAllUsesWith(pair);
      op->erase();
    }
  }
  return success();
}
