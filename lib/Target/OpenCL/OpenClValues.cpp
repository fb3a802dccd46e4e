//===- OpenClValues.cpp - SSA values as expressions in OpenCL C -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenClValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

#include <numeric>

using namespace mlir;
using namespace baco::target;

int64_t PieceLayout::countLanes() const {
  return std::accumulate(widths.begin(), widths.end(), int64_t(0));
}

unsigned baco::target::widthOf(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

std::string baco::target::nameType(Type element, int64_t width) {
  StringRef name;
  if (element.isIndex() || element.isSignlessInteger(64))
    name = "long";
  else if (element.isSignlessInteger(1) || element.isSignlessInteger(32))
    name = "int";
  else if (element.isSignlessInteger(8))
    name = "char";
  else if (element.isSignlessInteger(16))
    name = "short";
  else if (element.isF16())
    name = "half";
  else if (element.isF32())
    name = "float";
  else if (element.isF64())
    name = "double";
  else
    return "";
  return name.str() + (width == 1 ? "" : std::to_string(width));
}

std::string baco::target::nameInMemory(Type element) {
  return element.isSignlessInteger(1) ? "uchar" : nameType(element);
}

std::optional<PieceLayout> baco::target::layoutOf(Type type) {
  PieceLayout layout = {type, {1}};
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    layout = {vector.getElementType(), {}};
    int64_t row = vector.getRank() > 0 ? vector.getShape().back() : 1;
    int64_t rows = vector.getNumElements() / row;
    for (int64_t i = 0; i < rows; ++i)
      // As many long pieces as there are: 22 elements are 16, 4 and 2.
      for (int64_t rest = row, width = 16; rest > 0; width /= 2)
        for (; rest >= width; rest -= width)
          layout.widths.push_back(width);
  }
  if (nameType(layout.element).empty())
    return std::nullopt;
  return layout;
}

std::string baco::target::writeInteger(const llvm::APInt &value, Type element) {
  unsigned bits = widthOf(element);
  if (bits == 1)
    return value.isZero() ? "0" : "1";
  StringRef suffix = bits == 64 ? "L" : "";
  llvm::SmallString<24> digits;
  // There is no literal of the least number.
  if (bits >= 32 && value.isMinSignedValue()) {
    (value + 1).toStringSigned(digits);
    return ("(" + digits + suffix + " - 1)").str();
  }
  value.toStringSigned(digits);
  std::string text = (digits + suffix).str();
  if (bits < 32)
    return "(" + nameType(element) + ")" +
           (value.isNegative() ? "(" + text + ")" : text);
  return value.isNegative() ? "(" + text + ")" : text;
}

std::string baco::target::writeFloat(const llvm::APFloat &value, Type element) {
  if (!value.isFinite()) {
    // So that NaNs keep their bits.
    llvm::SmallString<24> digits;
    value.bitcastToAPInt().toString(digits, 16, /*Signed=*/false,
                                    /*formatAsCLiteral=*/true);
    return ("as_" + nameType(element) + "(" +
            (element.isF64()   ? "(ulong)"
             : element.isF16() ? "(ushort)"
                               : "(uint)") +
            digits + ")")
        .str();
  }
  char text[64];
  value.convertToHexString(text, /*hexDigits=*/0, /*upperCase=*/false,
                           llvm::APFloat::rmNearestTiesToEven);
  std::string literal = text;
  // Numbers that people read in decimal.
  double number = 0;
  {
    llvm::APFloat wide = value;
    bool loses = false;
    wide.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
    number = wide.convertToDouble();
  }
  if (std::abs(number) < 1e6 && number * 256 == std::trunc(number * 256)) {
    std::snprintf(text, sizeof text, "%.8f", number);
    literal = text;
    literal.erase(literal.find_last_not_of('0') + 1);
    if (literal.back() == '.')
      literal += '0';
  }
  if (element.isF32())
    literal += "f";
  if (element.isF16())
    literal = "(half)" + literal + "f";
  return value.isNegative() || element.isF16() ? "(" + literal + ")" : literal;
}

std::string Lane::text(Type element) const {
  if (width == 1)
    return piece;
  std::string lane = piece + ".s" + "0123456789abcdef"[index];
  return element.isSignlessInteger(1) ? "(" + lane + " & 1)" : lane;
}

llvm::SmallVector<Lane> baco::target::lanesOf(const ClValue &value,
                                              const PieceLayout &layout) {
  SmallVector<Lane> lanes;
  for (auto [piece, width] : llvm::zip_equal(value.pieces, layout.widths))
    for (int64_t i = 0; i < width; ++i)
      lanes.push_back({piece, width, i});
  return lanes;
}

/// A piece of the elements `lanes`.
static std::string joinLanes(ArrayRef<Lane> lanes, Type element) {
  int64_t width = lanes.size();
  const Lane &first = lanes.front();
  if (width == 1)
    return first.text(element);
  // Elements of one vector are chosen by a swizzle, and one scalar is
  // repeated by the constructor.
  bool isOnePiece = llvm::all_of(
      lanes, [&](const Lane &lane) { return lane.piece == first.piece; });
  if (isOnePiece && first.width > 1) {
    std::string swizzle = first.piece + ".s";
    bool isWhole = first.width == width;
    for (auto [place, lane] : llvm::enumerate(lanes)) {
      isWhole &= lane.index == static_cast<int64_t>(place);
      swizzle += "0123456789abcdef"[lane.index];
    }
    return isWhole ? first.piece : swizzle;
  }
  bool isMask = element.isSignlessInteger(1);
  std::string joined = "(" + nameType(element, width) + ")(";
  for (auto [place, lane] : llvm::enumerate(lanes)) {
    if (place > 0 && isOnePiece)
      break;
    joined += (place > 0 ? ", " : "") + std::string(isMask ? "-" : "") +
              lane.text(element);
  }
  return "(" + joined + "))";
}

ClValue baco::target::fromLanes(ArrayRef<Lane> lanes,
                                const PieceLayout &layout) {
  ClValue value;
  for (int64_t width : layout.widths) {
    value.pieces.push_back(joinLanes(lanes.take_front(width), layout.element));
    lanes = lanes.drop_front(width);
  }
  return value;
}
