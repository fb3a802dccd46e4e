//===- CopyDecoder.cpp - Decoder for functions that copy ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of constants and vectors are found by their registers, those of
// memrefs by strides. An op that isn't known ends the decoding.
//
//===----------------------------------------------------------------------===//

#include "CopyDecoder.h"

#include "baco/Analysis/ConstantData.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace baco::target::copies;

llvm::Error baco::target::copies::describe(Operation *op, const Twine &what) {
  return llvm::createStringError("'" + op->getName().getStringRef() + "' " +
                                 what);
}

Place Decoder::place(mlir::Value value) {
  auto [known, isNew] = places.try_emplace(value);
  if (!isNew)
    return known->second;
  unsigned count = 1;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    count = vector.getNumElements();
  else if (isa<MemRefType>(value.getType()))
    count = numMemRefRegisters;
  known->second = {numRegisters, count};
  numRegisters += count;
  return known->second;
}

/// The bits of a constant, a word for each element; nothing if it has others.
static std::optional<SmallVector<int64_t, 4>> wordsOf(Attribute value) {
  auto bits = [](const APInt &number) {
    return static_cast<int64_t>(number.getZExtValue());
  };
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return SmallVector<int64_t, 4>{integer.getType().isInteger(1)
                                       ? bits(integer.getValue())
                                       : integer.getValue().getSExtValue()};
  if (auto real = dyn_cast<FloatAttr>(value);
      real && real.getType().getIntOrFloatBitWidth() <= 64)
    return SmallVector<int64_t, 4>{bits(real.getValue().bitcastToAPInt())};
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  SmallVector<int64_t, 4> words;
  Type element = dense.getElementType();
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 64)
    for (const APFloat &number : dense.getValues<APFloat>())
      words.push_back(bits(number.bitcastToAPInt()));
  else if (element.isIntOrIndex())
    for (const APInt &number : dense.getValues<APInt>())
      words.push_back(element.isInteger(1) ? bits(number)
                                           : number.getSExtValue());
  return words;
}

/// Whether a signed quotient is defined, and can be held.
static bool hasQuotient(int64_t a, int64_t b) {
  return b != 0 && !(b == -1 && a == std::numeric_limits<int64_t>::min());
}

/// Sums and products wrap around, and divisions round as the names say. A
/// quotient that isn't defined is 0.
static int64_t (*arithmeticOf(Operation *op))(int64_t, int64_t) {
  using Function = int64_t (*)(int64_t, int64_t);
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case<arith::AddIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return int64_t(Word(a) + Word(b)); };
      })
      .Case<arith::SubIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return int64_t(Word(a) - Word(b)); };
      })
      .Case<arith::MulIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return int64_t(Word(a) * Word(b)); };
      })
      .Case<arith::DivSIOp>([](auto) -> Function {
        return
            [](int64_t a, int64_t b) { return hasQuotient(a, b) ? a / b : 0; };
      })
      .Case<arith::DivUIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : int64_t(Word(a) / Word(b));
        };
      })
      .Case<arith::FloorDivSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return hasQuotient(a, b) ? llvm::divideFloorSigned(a, b) : 0;
        };
      })
      .Case<arith::CeilDivSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return hasQuotient(a, b) ? llvm::divideCeilSigned(a, b) : 0;
        };
      })
      .Case<arith::RemSIOp>([](auto) -> Function {
        return
            [](int64_t a, int64_t b) { return hasQuotient(a, b) ? a % b : 0; };
      })
      .Case<arith::RemUIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : int64_t(Word(a) % Word(b));
        };
      })
      .Case<arith::MinSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return std::min(a, b); };
      })
      .Case<arith::MaxSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return std::max(a, b); };
      })
      .Case<arith::AndIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a & b; };
      })
      .Case<arith::OrIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a | b; };
      })
      .Case<arith::XOrIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a ^ b; };
      })
      .Default([](auto) -> Function { return nullptr; });
}

/// Whether words hold signed numbers of `type` as they are.
static bool isIndexLike(Type type) {
  return type.isIndex() || type.isInteger(64);
}

/// Whether `op` gives the same bit for bits that are 0 or 1, as it does for
/// those that are 0 or -1.
static bool isBitwise(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ||
         (compare && (compare.getPredicate() == arith::CmpIPredicate::eq ||
                      compare.getPredicate() == arith::CmpIPredicate::ne));
}

/// Whether the interpreter computes `op` on operands of `type`.
static bool isKnownOn(Operation *op, Type type) {
  return isIndexLike(type) || (type.isInteger(1) && isBitwise(op));
}

bool Decoder::decode(Operation *op, Instruction &made) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    made.kind = Instruction::Constant;
    auto words = wordsOf(constant.getValue());
    if (words)
      made.numbers = std::move(*words);
    return words.has_value();
  }
  if (auto compute = arithmeticOf(op)) {
    made.kind = Instruction::Integer;
    made.compute = compute;
    return isKnownOn(op, op->getResult(0).getType());
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    made.kind = Instruction::Compare;
    made.predicate = compare.getPredicate();
    return isKnownOn(op, compare.getLhs().getType());
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    made.kind = Instruction::Select;
    return select.getCondition().getType().isInteger(1);
  }
  // A register holds an index and an integer of 64 bits alike.
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    made.kind = Instruction::Shuffle;
    made.numbers = {0};
    return isIndexLike(cast.getIn().getType()) && isIndexLike(cast.getType());
  }
  // Copies carry nothing from one iteration to the next.
  if (isa<scf::ForOp, scf::IfOp>(op)) {
    made.kind = isa<scf::ForOp>(op) ? Instruction::For : Instruction::If;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      made.result = place(loop.getInductionVar());
    return op->getNumResults() == 0;
  }
  return decodeVector(op, made) || decodeAccess(op, made) ||
         decodeView(op, made);
}

/// The place of element `position` of a vector, in row-major order.
static int64_t elementAt(VectorType type, ArrayRef<int64_t> position) {
  int64_t number = 0;
  for (auto [extent, index] : llvm::zip(type.getShape(), position))
    number = number * extent + index;
  for (int64_t extent : type.getShape().drop_front(position.size()))
    number *= extent;
  return number;
}

bool Decoder::decodeVector(Operation *op, Instruction &made) {
  made.kind = Instruction::Shuffle;
  auto number = [&](int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      made.numbers.push_back(first + i);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<vector::BroadcastOp>([&](auto broadcast) {
        if (isa<VectorType>(broadcast.getSource().getType()))
          return false;
        made.numbers.assign(made.result.count, 0);
        return true;
      })
      .Case<vector::ShuffleOp>([&](auto shuffle) {
        // The operands are rows of one vector.
        made.numbers.assign(shuffle.getMask().begin(), shuffle.getMask().end());
        return shuffle.getV1VectorType().getRank() == 1 &&
               llvm::none_of(made.numbers, [](int64_t i) { return i < 0; });
      })
      .Case<vector::InterleaveOp>([&](auto) {
        // The operands are rows of one vector here, too.
        for (int64_t i = 0, half = made.result.count / 2; i < half; ++i)
          made.numbers.append({i, half + i});
        return made.operands.front().count * 2 == made.result.count &&
               cast<VectorType>(op->getResult(0).getType()).getRank() == 1;
      })
      .Case<vector::FromElementsOp>([&](auto) {
        number(0, made.result.count);
        return true;
      })
      .Case<vector::ExtractOp>([&](auto extract) {
        if (extract.hasDynamicPosition())
          return false;
        number(elementAt(extract.getSourceVectorType(),
                         extract.getStaticPosition()),
               made.result.count);
        return true;
      })
      .Case<vector::InsertOp>([&](auto insert) {
        if (insert.hasDynamicPosition())
          return false;
        // The operands are what is inserted, then the vector.
        int64_t count = made.operands.front().count,
                at = elementAt(insert.getDestVectorType(),
                               insert.getStaticPosition());
        number(count, made.result.count);
        for (int64_t i = 0; i < count; ++i)
          made.numbers[at + i] = i;
        return true;
      })
      .Case<vector::ShapeCastOp>([&](auto) {
        number(0, made.result.count);
        return true;
      })
      .Case<vector::TransposeOp>([&](auto transpose) {
        VectorType from = transpose.getSourceVectorType(),
                   to = transpose.getResultVectorType();
        SmallVector<int64_t> strides = computeStrides(from.getShape());
        SmallVector<int64_t> own = computeStrides(to.getShape());
        for (int64_t i = 0; i < to.getNumElements(); ++i) {
          SmallVector<int64_t> index = delinearize(i, own);
          int64_t at = 0;
          for (auto [position, dim] :
               llvm::zip_equal(index, transpose.getPermutation()))
            at += position * strides[dim];
          made.numbers.push_back(at);
        }
        return true;
      })
      .Case<vector::CreateMaskOp>([&](auto mask) {
        made.kind = Instruction::Mask;
        return mask.getVectorType().getRank() == 1;
      })
      .Case<vector::ConstantMaskOp>([&](auto mask) {
        made.kind = Instruction::Constant;
        if (mask.getVectorType().getRank() != 1)
          return false;
        for (unsigned i = 0; i < made.result.count; ++i)
          made.numbers.push_back(i < mask.getMaskDimSizes()[0]);
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// Loads and stores have the memref behind what they store, if anything, and
/// then the subscripts.
bool Decoder::decodeAccess(Operation *op, Instruction &made) {
  mlir::Value memref, mask;
  bool isStore =
      isa<memref::StoreOp, vector::StoreOp, vector::MaskedStoreOp>(op);
  made.kind = isStore ? Instruction::Store : Instruction::Load;
  SmallVector<mlir::Value> operands;
  auto add = [&](auto access, mlir::Value stored) {
    if (stored)
      operands.push_back(stored);
    memref = access.getMemRef();
    operands.push_back(memref);
    llvm::append_range(operands, access.getIndices());
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    add(load, {});
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    add(store, store.getValueToStore());
  else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    operands.push_back(memref = load.getBase());
    llvm::append_range(operands, load.getIndices());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    operands = {store.getValueToStore(), memref = store.getBase()};
    llvm::append_range(operands, store.getIndices());
  } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    operands.push_back(memref = load.getBase());
    llvm::append_range(operands, load.getIndices());
    operands.push_back(load.getPassThru());
    mask = load.getMask();
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    operands = {store.getValueToStore(), memref = store.getBase()};
    llvm::append_range(operands, store.getIndices());
    mask = store.getMask();
  } else {
    return false;
  }
  // The offset of a view is in its register, whether it is constant or not;
  // strides that change would need registers, too, and copies have none.
  auto type = cast<MemRefType>(memref.getType());
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return false;
  made.numbers.assign(strides.begin(), strides.end());
  made.bytes = baco::bytesOf(type.getElementType());
  made.operands.clear();
  for (mlir::Value operand : operands)
    made.operands.push_back(place(operand));
  if (mask)
    made.mask = place(mask);
  // Vectors lie along a row, whose elements follow each other.
  bool isRow = true;
  for (mlir::Value operand : operands)
    if (auto vector = dyn_cast<VectorType>(operand.getType()))
      isRow &= vector.getRank() == 1;
  if (!isStore)
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      isRow &= vector.getRank() == 1;
  bool isUnit = strides.empty() || strides.back() == 1 ||
                isa<memref::LoadOp, memref::StoreOp>(op);
  return isRow && isUnit && made.bytes >= 1 && made.bytes <= 8;
}

bool Decoder::decodeView(Operation *op, Instruction &made) {
  if (isa<memref::ViewOp>(op)) {
    made.kind = Instruction::View;
    return true;
  }
  auto recast = dyn_cast<memref::ReinterpretCastOp>(op);
  if (!recast)
    return false;
  // The offset counts from where the memory begins, not from the operand's own
  // first element. Sizes and strides are in the type.
  made.kind = Instruction::Recast;
  made.operands.resize(1);
  OpFoldResult offset = recast.getMixedOffsets().front();
  if (auto value = dyn_cast<mlir::Value>(offset))
    made.operands.push_back(place(value));
  else
    made.numbers = {*getConstantIntValue(offset)};
  return true;
}

llvm::Error Decoder::decode(Block &block, Program &program) {
  for (Operation &op : block) {
    // These do nothing that shows.
    if (isa<memref::PrefetchOp, scf::YieldOp, func::ReturnOp>(op))
      continue;
    // Places come in the order of the text, so that each value has one before
    // it is used, and what a loop repeats uses the same one.
    Instruction made = {};
    made.op = &op;
    for (mlir::Value operand : op.getOperands())
      made.operands.push_back(place(operand));
    if (op.getNumResults() == 1)
      made.result = place(op.getResult(0));
    if (!decode(&op, made))
      return describe(&op, "isn't known to the compiler's copies");
    for (Region &region : op.getRegions()) {
      made.bodies.emplace_back();
      if (!region.empty())
        if (llvm::Error error = decode(region.front(), made.bodies.back()))
          return error;
    }
    program.push_back(std::move(made));
  }
  return llvm::Error::success();
}
