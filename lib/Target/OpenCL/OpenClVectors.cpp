//===- OpenClVectors.cpp - Vectors in OpenCL C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of the dialect vector: accesses by `vload` and `vstore`, which need no
// more alignment than elements have, and moves of elements.
//
//===----------------------------------------------------------------------===//

#include "OpenClPrinter.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco::target;

LogicalResult OpenClPrinter::move(Operation *op, ArrayRef<Lane> lanes) {
  PieceLayout layout = *layoutOf(op->getResult(0).getType());
  // Pieces that exist already cost nothing.
  ClValue value = fromLanes(lanes, layout);
  // Other ops choose among its elements, and would repeat the text.
  for (auto [piece, width] : llvm::zip_equal(value.pieces, layout.widths))
    if (width > 1 && !llvm::all_of(piece, [](char c) {
          return llvm::isAlnum(c) || c == '_';
        }))
      piece = bind(layout.element, width, piece);
  values[op->getResult(0)] = std::move(value);
  return success();
}

LogicalResult OpenClPrinter::printVectorAccess(Operation *op, Value memref,
                                               ValueRange indices,
                                               VectorType type, Value stored) {
  auto memory = cast<MemRefType>(memref.getType());
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (failed(memory.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return refuse(op, "the distances between elements aren't constant");
  if (type.getRank() > memory.getRank())
    return refuse(op, "the vector has more dimensions than the memory");
  PieceLayout layout = *layoutOf(type);
  bool isMask = layout.element.isInteger(1);
  // Elements of a row that aren't neighbors are accessed one by one.
  bool isRow = type.getRank() == 0 || strides.back() == 1;
  SmallVector<int64_t> ofVector(
      ArrayRef(strides).take_back(std::max<int64_t>(1, type.getRank())));
  if (memory.getRank() == 0)
    ofVector = {1};
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape = {1};
  SmallVector<int64_t> units = computeSuffixProduct(shape);
  ClValue value;
  // The number of the first element of a piece in the vector.
  int64_t first = 0;
  for (auto [number, width] : llvm::enumerate(layout.widths)) {
    // Where its elements are from the vector's first one.
    // The vector's last dimensions are the memory's.
    auto distance = [&](int64_t element) {
      int64_t sum = 0;
      for (auto [unit, extent, stride] :
           llvm::zip_equal(units, shape, ofVector))
        sum += element / unit % extent * stride;
      return sum;
    };
    auto at = place(op, memref, indices, distance(first));
    if (failed(at))
      return failure();
    const std::string &pointer = piece(memref);
    // Truth values are bytes in memory, and integers in registers.
    bool isVector = width > 1 && isRow && !isMask;
    std::string suffix = std::to_string(width), address = pointer;
    if (*at != "0")
      address += " + " + *at;
    if (stored && isVector) {
      line() << "vstore" << suffix << "(" << piece(stored, number) << ", 0, "
             << address << ");\n";
    } else if (isVector) {
      value.pieces.push_back(bind(layout.element, width,
                                  "vload" + suffix + "(0, " + address + ")"));
    } else {
      std::string text;
      for (int64_t i = 0; i < width; ++i) {
        auto one = place(op, memref, indices, distance(first + i));
        if (failed(one))
          return failure();
        std::string element = pointer + "[" + *one + "]";
        if (stored)
          line() << element << " = "
                 << Lane{piece(stored, number), width, i}.text(layout.element)
                 << ";\n";
        else
          text += (i > 0 ? ", " : "") +
                  std::string(isMask && width > 1 ? "-" : "") + element;
      }
      if (!stored)
        value.pieces.push_back(bind(
            layout.element, width,
            width == 1
                ? text
                : "(" + nameType(layout.element, width) + ")(" + text + ")"));
    }
    first += width;
  }
  if (!stored)
    values[op->getResult(0)] = std::move(value);
  return success();
}

LogicalResult OpenClPrinter::printMasked(Operation *op, Value memref,
                                         ValueRange indices, Value mask,
                                         Value other, bool isStore) {
  auto type = cast<VectorType>(mask.getType());
  if (type.getRank() != 1)
    return refuse(op, "the vector has several dimensions");
  Type element = getElementTypeOrSelf(other.getType());
  // Elements that the mask excludes may be outside of the memory, so each
  // is accessed behind a condition.
  SmallVector<Lane> conditions = lanes(mask), others = lanes(other), loaded;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    auto at = place(op, memref, indices, i);
    if (failed(at))
      return failure();
    std::string condition = conditions[i].text(type.getElementType()),
                memory = piece(memref) + "[" + *at + "]";
    if (!isStore) {
      loaded.push_back(scalarLane(
          bind(element, 1,
               condition + " ? " + memory + " : " + others[i].text(element))));
      continue;
    }
    line() << "if (" << condition << ")\n";
    os.indent(2 * indent + 2)
        << memory << " = " << others[i].text(element) << ";\n";
  }
  return isStore ? success() : move(op, loaded);
}

LogicalResult OpenClPrinter::printReduction(vector::ReductionOp op) {
  using Kind = vector::CombiningKind;
  Type element = op.getType();
  bool isInteger = !isa<FloatType>(element);
  StringRef pattern;
  switch (op.getKind()) {
  case Kind::ADD:
    pattern = "# + @";
    break;
  case Kind::MUL:
    pattern = "# * @";
    break;
  case Kind::AND:
    pattern = "# & @";
    break;
  case Kind::OR:
    pattern = "# | @";
    break;
  case Kind::XOR:
    pattern = "# ^ @";
    break;
  case Kind::MINSI:
    pattern = "min(#, @)";
    break;
  case Kind::MAXSI:
    pattern = "max(#, @)";
    break;
  case Kind::MINNUMF:
    pattern = "fmin(#, @)";
    break;
  case Kind::MAXNUMF:
    pattern = "fmax(#, @)";
    break;
  case Kind::MAXIMUMF:
    pattern = "((# > @) | isnan(#)) ? # : @";
    break;
  case Kind::MINIMUMF:
    pattern = "((# < @) | isnan(#)) ? # : @";
    break;
  default:
    return refuse(op, "it combines elements otherwise than by sums, products, "
                      "signed or float extrema, and bits");
  }
  // Scalars of less than 32 bits are `int` after arithmetic, and are made
  // narrow again.
  bool isNarrow = isInteger && widthOf(element) < 32 && !element.isInteger(1);
  if (isInteger && element.isInteger(1) &&
      (op.getKind() == Kind::ADD || op.getKind() == Kind::MUL))
    return refuse(op, "it calculates with truth values");
  // Sums of integers may overflow, which C allows without a sign only.
  bool wraps = isInteger && !isNarrow &&
               (op.getKind() == Kind::ADD || op.getKind() == Kind::MUL);
  std::string name = nameType(element), sum;
  if (op.getAcc())
    sum = piece(op.getAcc());
  // The order is that of the elements: sums of floats are rounded as
  // LLVM's ordered reduction rounds them.
  for (const Lane &lane : lanes(op.getVector())) {
    std::string next = lane.text(element);
    if (sum.empty()) {
      sum = next;
      continue;
    }
    std::string text;
    auto operand = [&](const std::string &value) {
      return wraps ? "as_u" + name + "(" + value + ")" : value;
    };
    for (char c : pattern)
      text += c == '#'   ? operand(sum)
              : c == '@' ? operand(next)
                         : std::string(1, c);
    if (wraps)
      text = "as_" + name + "(" + text + ")";
    if (isNarrow)
      text = "(" + name + ")(" + text + ")";
    // A variable for each sum, because the pattern may name it twice.
    sum = bind(element, 1, text);
  }
  values[op] = {{sum}, ""};
  return success();
}

LogicalResult OpenClPrinter::printBitCast(vector::BitCastOp op) {
  PieceLayout from = *layoutOf(op.getSourceVectorType()),
              to = *layoutOf(op.getResultVectorType());
  if (from.element.isInteger(1) || to.element.isInteger(1))
    return refuse(op, "it reads the bits of truth values");
  int64_t fromBits = widthOf(from.element), toBits = widthOf(to.element);
  SmallVector<Lane> source = lanes(op.getSource()), all;
  ArrayRef<Lane> rest = source;
  for (int64_t width : to.widths) {
    // No piece has more than 16 elements, of either type.
    int64_t each =
        std::min(width, std::max<int64_t>(1, 16 * fromBits / toBits));
    if (each * toBits < fromBits)
      return refuse(op, "an element would be in several pieces");
    for (int64_t done = 0; done < width; done += each) {
      int64_t count = each * toBits / fromBits;
      ClValue part = fromLanes(rest.take_front(count), {from.element, {count}});
      rest = rest.drop_front(count);
      std::string name =
          bind(to.element, each,
               "as_" + nameType(to.element, each) + "(" + part.pieces[0] + ")");
      for (int64_t i = 0; i < each; ++i)
        all.push_back({name, each, i});
    }
  }
  return move(op, all);
}

/// The number of the first element at `position` in a value of `type`; nothing
/// if a position isn't constant.
static std::optional<int64_t> firstAt(VectorType type,
                                      ArrayRef<OpFoldResult> position) {
  SmallVector<int64_t> units = computeSuffixProduct(type.getShape());
  int64_t first = 0;
  for (auto [number, unit] :
       llvm::zip(position, ArrayRef(units).take_front(position.size()))) {
    std::optional<int64_t> known = getConstantIntValue(number);
    if (!known || *known < 0)
      return std::nullopt;
    first += *known * unit;
  }
  return first;
}

LogicalResult OpenClPrinter::printVector(Operation *op) {
  auto dynamic = [&] {
    return refuse(op, "the position of an element isn't constant");
  };
  auto elementsOf = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](vector::LoadOp load) {
        return printVectorAccess(op, load.getBase(), load.getIndices(),
                                 load.getVectorType(), nullptr);
      })
      .Case([&](vector::StoreOp store) {
        return printVectorAccess(op, store.getBase(), store.getIndices(),
                                 store.getVectorType(),
                                 store.getValueToStore());
      })
      .Case([&](vector::MaskedLoadOp load) {
        return printMasked(op, load.getBase(), load.getIndices(),
                           load.getMask(), load.getPassThru(),
                           /*isStore=*/false);
      })
      .Case([&](vector::MaskedStoreOp store) {
        return printMasked(op, store.getBase(), store.getIndices(),
                           store.getMask(), store.getValueToStore(),
                           /*isStore=*/true);
      })
      .Case([&](vector::FMAOp fma) {
        return define(op, [&](size_t place, int64_t) {
          return "fma(" + piece(fma.getLhs(), place) + ", " +
                 piece(fma.getRhs(), place) + ", " +
                 piece(fma.getAcc(), place) + ")";
        });
      })
      .Case([&](vector::ReductionOp sum) { return printReduction(sum); })
      .Case([&](vector::BroadcastOp broadcast) {
        auto to = broadcast.getResultVectorType();
        SmallVector<Lane> from = lanes(broadcast.getSource()), all;
        auto type = dyn_cast<VectorType>(broadcast.getSourceType());
        // Dimensions that the source lacks, or that are 1 there, are repeated.
        SmallVector<int64_t> shape(to.getRank(), 1);
        if (type)
          llvm::copy(type.getShape(), shape.end() - type.getRank());
        SmallVector<int64_t> units = computeSuffixProduct(to.getShape()),
                             ofSource = computeSuffixProduct(shape);
        for (int64_t i = 0; i < to.getNumElements(); ++i) {
          int64_t source = 0;
          for (auto [unit, extent, narrow, ofNarrow] :
               llvm::zip_equal(units, to.getShape(), shape, ofSource))
            source += narrow == 1 ? 0 : i / unit % extent * ofNarrow;
          all.push_back(from[source]);
        }
        return move(op, all);
      })
      .Case([&](vector::ExtractOp extract) -> LogicalResult {
        auto first =
            firstAt(extract.getSourceVectorType(), extract.getMixedPosition());
        if (!first)
          return dynamic();
        SmallVector<Lane> from = lanes(extract.getSource());
        return move(
            op, ArrayRef(from).slice(*first, elementsOf(extract.getType())));
      })
      .Case([&](vector::InsertOp insert) -> LogicalResult {
        auto first =
            firstAt(insert.getDestVectorType(), insert.getMixedPosition());
        if (!first)
          return dynamic();
        SmallVector<Lane> all = lanes(insert.getDest()),
                          part = lanes(insert.getValueToStore());
        llvm::copy(part, all.begin() + *first);
        return move(op, all);
      })
      .Case([&](vector::ShuffleOp shuffle) -> LogicalResult {
        SmallVector<Lane> from = lanes(shuffle.getV1()), all;
        llvm::append_range(from, lanes(shuffle.getV2()));
        int64_t rest = elementsOf(op->getResult(0).getType()) /
                       static_cast<int64_t>(shuffle.getMask().size());
        for (int64_t index : shuffle.getMask()) {
          // A lane that isn't specified may be any.
          int64_t known = std::max<int64_t>(0, index);
          for (int64_t i = 0; i < rest; ++i)
            all.push_back(from[known * rest + i]);
        }
        return move(op, all);
      })
      .Case([&](vector::FromElementsOp made) {
        SmallVector<Lane> all;
        for (Value element : made.getElements())
          all.push_back(scalarLane(piece(element)));
        return move(op, all);
      })
      .Case([&](vector::ToElementsOp split) {
        Type element = getElementTypeOrSelf(split.getSource().getType());
        for (auto [lane, result] :
             llvm::zip_equal(lanes(split.getSource()), split.getElements()))
          values[result] = {{lane.text(element)}, ""};
        return success();
      })
      .Case([&](vector::ShapeCastOp cast) {
        return move(op, lanes(cast.getSource()));
      })
      .Case([&](vector::BitCastOp cast) { return printBitCast(cast); })
      .Case([&](vector::TransposeOp transpose) {
        SmallVector<Lane> from = lanes(transpose.getVector()), all;
        auto to = transpose.getResultVectorType();
        SmallVector<int64_t> units = computeSuffixProduct(to.getShape()),
                             ofSource = computeSuffixProduct(
                                 transpose.getSourceVectorType().getShape());
        for (int64_t i = 0; i < to.getNumElements(); ++i) {
          int64_t source = 0;
          for (auto [unit, extent, dim] : llvm::zip_equal(
                   units, to.getShape(), transpose.getPermutation()))
            source += i / unit % extent * ofSource[dim];
          all.push_back(from[source]);
        }
        return move(op, all);
      })
      .Case([&](vector::StepOp step) {
        SmallVector<Lane> all;
        for (int64_t i = 0; i < step.getType().getNumElements(); ++i)
          all.push_back(scalarLane(std::to_string(i) + "L"));
        return move(op, all);
      })
      .Case<vector::ConstantMaskOp, vector::CreateMaskOp>([&](auto mask)
                                                              -> LogicalResult {
        auto type = cast<VectorType>(op->getResult(0).getType());
        SmallVector<std::string> bounds;
        for (int64_t i = 0; i < type.getRank(); ++i)
          if constexpr (std::is_same_v<decltype(mask), vector::CreateMaskOp>)
            bounds.push_back(piece(mask.getOperands()[i]));
          else
            bounds.push_back(std::to_string(mask.getMaskDimSizes()[i]));
        SmallVector<int64_t> units = computeSuffixProduct(type.getShape());
        SmallVector<Lane> all;
        for (int64_t i = 0; i < type.getNumElements(); ++i) {
          std::string text;
          for (auto [unit, extent, bound] :
               llvm::zip_equal(units, type.getShape(), bounds))
            text += (text.empty() ? "(" : " & (") +
                    std::to_string(i / unit % extent) + " < " + bound + ")";
          all.push_back(scalarLane("(" + text + ")"));
        }
        return move(op, all);
      })
      .Default([&](Operation *) {
        return refuse(op, "replace it by loads, stores, and moves of elements "
                          "at constant positions");
      });
}
