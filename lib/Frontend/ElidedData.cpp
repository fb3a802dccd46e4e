//===- ElidedData.cpp - Data for constants without data -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data become resources rather than dense attributes where that works: passes
// don't fold these, and a context doesn't keep a second copy.
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "baco/Support/Random.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace baco;

/// The most bytes that a module may gain. As text, each byte becomes two
/// characters.
static constexpr int64_t maxBytes = int64_t(1) << 30;

namespace {
/// A constant without data.
struct Elided {
  Operation *op;
  StringAttr name;
  DenseResourceElementsAttr attribute;
};
} // namespace

static SmallVector<Elided> findElided(ModuleOp module) {
  SmallVector<Elided> found;
  module->walk([&](Operation *op) {
    for (NamedAttribute named : op->getAttrs())
      if (auto data = dyn_cast<DenseResourceElementsAttr>(named.getValue());
          data && !data.getRawHandle().getBlob())
        found.push_back({op, named.getName(), data});
  });
  return found;
}

/// The bytes of an element in a resource; 0 for types that have none.
static int64_t widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * widthOf(complex.getElementType());
  if (element.isIndex())
    return IndexType::kInternalStorageBitWidth / 8;
  if (!element.isIntOrFloat())
    return 0;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Half the width of the range of the elements of a matrix: with it, the
/// variance of a sum over the rows or the columns is that of a summand's other
/// factor.
static double spreadOf(ShapedType type) {
  int64_t rows = type.getDimSize(0);
  int64_t columns = type.getNumElements() / std::max<int64_t>(rows, 1);
  return std::sqrt(3.0 / static_cast<double>(std::max({rows, columns, 1L})));
}

static void fillFloats(FloatType type, ShapedType shape, Random &random,
                       MutableArrayRef<char> bytes) {
  // Front ends give vectors extents of 1 to broadcast them.
  bool isVector = llvm::count_if(shape.getShape(), [](int64_t extent) {
                    return extent != 1;
                  }) < 2;
  double spread = isVector ? 0 : spreadOf(shape);
  size_t width = widthOf(type);
  for (size_t at = 0; at < bytes.size(); at += width) {
    llvm::APFloat value(isVector ? random.uniform(0.5, 1)
                                 : random.uniform(-spread, spread));
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    llvm::APInt bits = value.bitcastToAPInt();
    std::memcpy(&bytes[at], bits.getRawData(), width);
  }
}

static AsmResourceBlob makeData(ShapedType type, uint64_t number) {
  Type element = type.getElementType();
  int64_t width = widthOf(element);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * width, /*align=*/64);
  MutableArrayRef<char> bytes = blob.getMutableData();
  Random random(/*seed=*/0, number);
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (auto floats = dyn_cast<FloatType>(element)) {
    fillFloats(floats, type, random, bytes);
    return blob;
  }
  for (size_t at = 0; at < bytes.size(); at += width) {
    std::memset(&bytes[at], 0, width);
    bytes[at] = 1;
  }
  return blob;
}

/// Whether upstream's translation to LLVM takes resources of `element`.
static bool isInResources(Type element) {
  return element.isF32() || element.isF64() || element.isInteger(8) ||
         element.isInteger(16) || element.isInteger(32) ||
         element.isInteger(64);
}

/// The constant number `number`.
static Attribute makeConstant(ShapedType type, uint64_t number) {
  Type element = type.getElementType();
  if (element.isInteger(1)) {
    Random random(/*seed=*/0, number);
    SmallVector<bool> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      values.push_back(random.below(2) != 0);
    return DenseElementsAttr::get(type, values);
  }
  AsmResourceBlob data = makeData(type, number);
  if (isInResources(element))
    return DenseResourceElementsAttr::get(type, "elided", std::move(data));
  return DenseElementsAttr::getFromRawBuffer(type, data.getData());
}

/// The bytes of all elements, or more than the most.
static int64_t dataSizeOf(ShapedType type) {
  int64_t bytes = widthOf(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return maxBytes + 1;
  return std::min(bytes, maxBytes + 1);
}

FailureOr<int64_t> frontend::fillElidedData(ModuleOp module) {
  SmallVector<Elided> elided = findElided(module);
  int64_t bytes = 0;
  for (const Elided &one : elided) {
    ShapedType type = one.attribute.getType();
    if (widthOf(type.getElementType()) == 0)
      return one.op->emitError("the data of a constant are elided, and there "
                               "are none to make up for elements of type ")
             << type.getElementType();
    bytes += dataSizeOf(type);
    if (bytes > maxBytes)
      return one.op->emitError(
          "the elided data of constants need more than 1 GiB; give weights as "
          "arguments of the functions, or tune a part of the model");
  }
  for (auto [number, one] : llvm::enumerate(elided))
    one.op->setAttr(one.name, makeConstant(one.attribute.getType(), number));
  return static_cast<int64_t>(elided.size());
}
