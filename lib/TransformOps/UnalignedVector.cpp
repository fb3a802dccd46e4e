//===- UnalignedVector.cpp - Vectors at any element -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shift is by powers of two, from half of the vector down: by words that
// are chosen, and at last by a funnel shift within words.
//
//===----------------------------------------------------------------------===//

#include "UnalignedVector.h"

#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

static constexpr int64_t wordBits = 32;

bool UnalignedVector::canLoad(MemRefType memory, VectorType type) {
  int64_t length = type.getNumElements(),
          bits = length * type.getElementTypeBitWidth();
  return memory.getLayout().isIdentity() && memory.hasStaticShape() &&
         llvm::isPowerOf2_64(length) && length > 1 &&
         llvm::isPowerOf2_64(type.getElementTypeBitWidth()) &&
         bits >= wordBits && bits <= 8 * nvidia::maxAccessBytes &&
         memory.getNumElements() >= 2 * length;
}

UnalignedVector::UnalignedVector(OpBuilder &builder, Location loc, Value memory,
                                 VectorType type, ValueRange indices)
    : type(type) {
  auto memoryType = cast<MemRefType>(memory.getType());
  int64_t length = type.getNumElements();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // The elements as one row.
  int64_t count = memoryType.getNumElements(), stride = count;
  auto row =
      MemRefType::get({count}, memoryType.getElementType(),
                      MemRefLayoutAttrInterface(), memoryType.getMemorySpace());
  Value all = memref::ReinterpretCastOp::create(
      builder, loc, row, memory, /*offset=*/0, ArrayRef<int64_t>{count},
      ArrayRef<int64_t>{1});
  Value place;
  for (auto [index, extent] : llvm::zip_equal(indices, memoryType.getShape())) {
    stride /= extent;
    Value scaled = arith::MulIOp::create(builder, loc, index, constant(stride));
    place = place ? arith::AddIOp::create(builder, loc, place, scaled) : scaled;
  }
  Value begin = arith::AndIOp::create(builder, loc, place, constant(-length));
  Value last = constant(llvm::alignDown(count, length) - 2 * length);
  loaded = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, begin,
                                 last);
  both = vector::LoadOp::create(
      builder, loc, VectorType::get({2 * length}, type.getElementType()), all,
      arith::MinUIOp::create(builder, loc, begin, last).getResult());
  first = arith::AndIOp::create(
      builder, loc,
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), place),
      arith::ConstantIntOp::create(builder, loc, length - 1, wordBits));
}

Value UnalignedVector::value(OpBuilder &builder, Location loc) const {
  int64_t bits = type.getElementTypeBitWidth(),
          numWords = type.getNumElements() * bits / wordBits;
  auto word = builder.getIntegerType(wordBits);
  Value asWords = vector::BitCastOp::create(
      builder, loc, VectorType::get({2 * numWords}, word), both);
  SmallVector<Value> words;
  for (int64_t i = 0; i < 2 * numWords; ++i)
    words.push_back(vector::ExtractOp::create(builder, loc, asWords, i));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, wordBits);
  };
  // By `distance` words if that is a part of `first`.
  for (int64_t distance = numWords / 2; distance > 0; distance /= 2) {
    Value part = arith::AndIOp::create(builder, loc, first,
                                       constant(distance * wordBits / bits));
    Value isPart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         part, constant(0));
    // Shorter distances need less than that behind the vector.
    int64_t needed = numWords + distance - (bits < wordBits ? 0 : 1);
    for (int64_t i = 0; i < needed; ++i)
      words[i] = arith::SelectOp::create(builder, loc, isPart,
                                         words[i + distance], words[i]);
  }
  if (bits < wordBits) {
    Value part = arith::AndIOp::create(builder, loc, first,
                                       constant(wordBits / bits - 1));
    Value shift = arith::MulIOp::create(builder, loc, part, constant(bits));
    for (int64_t i = 0; i < numWords; ++i)
      words[i] = LLVM::FshrOp::create(builder, loc, word, words[i + 1],
                                      words[i], shift);
  }
  words.resize(numWords);
  Value chosen = vector::FromElementsOp::create(
      builder, loc, VectorType::get({numWords}, word), words);
  return vector::BitCastOp::create(builder, loc, type, chosen);
}
