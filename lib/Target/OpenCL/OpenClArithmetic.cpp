//===- OpenClArithmetic.cpp - Arithmetic in OpenCL C ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of the dialects arith and math. Integers are signed types. Sums that may
// overflow are computed without a sign, since in C signed ones may not; those
// of indices can't, as they are places in memory.
//
//===----------------------------------------------------------------------===//

#include "OpenClPrinter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco::target;

/// A function or operator in OpenCL C for an op; `#` stands for an operand.
static StringRef spellFloat(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Case("arith.addf", "#0 + #1")
      .Case("arith.subf", "#0 - #1")
      .Case("arith.mulf", "#0 * #1")
      .Case("arith.divf", "#0 / #1")
      .Case("arith.negf", "-#0")
      .Case("arith.remf", "fmod(#0, #1)")
      .Case("arith.maxnumf", "fmax(#0, #1)")
      .Case("arith.minnumf", "fmin(#0, #1)")
      .Case("math.absf", "fabs(#0)")
      .Case("math.acos", "acos(#0)")
      .Case("math.acosh", "acosh(#0)")
      .Case("math.asin", "asin(#0)")
      .Case("math.asinh", "asinh(#0)")
      .Case("math.atan", "atan(#0)")
      .Case("math.atan2", "atan2(#0, #1)")
      .Case("math.atanh", "atanh(#0)")
      .Case("math.cbrt", "cbrt(#0)")
      .Case("math.ceil", "ceil(#0)")
      .Case("math.copysign", "copysign(#0, #1)")
      .Case("math.cos", "cos(#0)")
      .Case("math.cosh", "cosh(#0)")
      .Case("math.erf", "erf(#0)")
      .Case("math.erfc", "erfc(#0)")
      .Case("math.exp", "exp(#0)")
      .Case("math.exp2", "exp2(#0)")
      .Case("math.expm1", "expm1(#0)")
      .Case("math.floor", "floor(#0)")
      .Case("math.fma", "fma(#0, #1, #2)")
      .Case("math.log", "log(#0)")
      .Case("math.log10", "log10(#0)")
      .Case("math.log1p", "log1p(#0)")
      .Case("math.log2", "log2(#0)")
      .Case("math.powf", "pow(#0, #1)")
      .Case("math.round", "round(#0)")
      .Case("math.roundeven", "rint(#0)")
      .Case("math.rsqrt", "rsqrt(#0)")
      .Case("math.sin", "sin(#0)")
      .Case("math.sinh", "sinh(#0)")
      .Case("math.sqrt", "sqrt(#0)")
      .Case("math.tan", "tan(#0)")
      .Case("math.tanh", "tanh(#0)")
      .Case("math.trunc", "trunc(#0)")
      .Default("");
}

/// `pattern` with the operands' pieces at `place`.
static std::string substitute(StringRef pattern,
                              llvm::function_ref<std::string(size_t)> operand) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i)
    // A digit follows, the number of an operand.
    if (pattern[i] == '#')
      text += operand(pattern[++i] - '0');
    else
      text += pattern[i];
  return text;
}

/// The name of the type without a sign.
static std::string unsignedType(Type element, int64_t width) {
  return "u" + nameType(element, width);
}

static bool isTruth(Type type) {
  return getElementTypeOrSelf(type).isInteger(1);
}

/// The bits of `text`, which has the element's type, without a sign.
static std::string asUnsigned(Type element, int64_t width,
                              const std::string &text) {
  return "as_" + unsignedType(element, width) + "(" + text + ")";
}

/// The inverse. Scalars of less than 32 bits are `int` after arithmetic.
static std::string asSigned(Type element, int64_t width,
                            const std::string &text) {
  std::string type = nameType(element, width);
  return width == 1 && widthOf(element) < 32 ? "(" + type + ")(" + text + ")"
                                             : "as_" + type + "(" + text + ")";
}

LogicalResult OpenClPrinter::printConstant(arith::ConstantOp op) {
  PieceLayout layout = *layoutOf(op.getType());
  auto write = [&](Attribute attribute) {
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return writeFloat(number.getValue(), layout.element);
    return writeInteger(cast<IntegerAttr>(attribute).getValue(),
                        layout.element);
  };
  if (!isa<VectorType>(op.getType())) {
    values[op] = {{write(op.getValue())}, ""};
    return success();
  }
  // Elements that are equal become one scalar that is repeated.
  auto data = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!data)
    return refuse(op, "the elements aren't in the module");
  SmallVector<Lane> elements;
  for (Attribute element : data.getValues<Attribute>())
    elements.push_back(scalarLane(write(element)));
  return move(op, elements);
}

LogicalResult OpenClPrinter::printCompare(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  StringRef pattern;
  bool isUnsigned = false;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    // Equal bits are equal with and without a sign.
    isUnsigned = predicate == P::ult || predicate == P::ule ||
                 predicate == P::ugt || predicate == P::uge;
    // A scalar truth value has no sign, one in a vector has.
    if (isTruth(element) && predicate != P::eq && predicate != P::ne &&
        !isUnsigned)
      return refuse(op, "it compares truth values by their signs");
    pattern = predicate == P::eq                           ? "#0 == #1"
              : predicate == P::ne                         ? "#0 != #1"
              : predicate == P::slt || predicate == P::ult ? "#0 < #1"
              : predicate == P::sle || predicate == P::ule ? "#0 <= #1"
              : predicate == P::sgt || predicate == P::ugt ? "#0 > #1"
                                                           : "#0 >= #1";
  } else {
    using P = arith::CmpFPredicate;
    switch (cast<arith::CmpFOp>(op).getPredicate()) {
    case P::AlwaysFalse:
    case P::AlwaysTrue:
      return refuse(op, "its result is constant; canonicalize before");
    case P::OEQ:
      pattern = "#0 == #1";
      break;
    case P::OGT:
      pattern = "#0 > #1";
      break;
    case P::OGE:
      pattern = "#0 >= #1";
      break;
    case P::OLT:
      pattern = "#0 < #1";
      break;
    case P::OLE:
      pattern = "#0 <= #1";
      break;
    case P::ONE:
      pattern = "islessgreater(#0, #1)";
      break;
    case P::ORD:
      pattern = "isordered(#0, #1)";
      break;
    case P::UNO:
      pattern = "isunordered(#0, #1)";
      break;
    case P::UNE:
      pattern = "#0 != #1";
      break;
    case P::UEQ:
      pattern = "isunordered(#0, #1) | (#0 == #1)";
      break;
    case P::UGT:
      pattern = "isunordered(#0, #1) | (#0 > #1)";
      break;
    case P::UGE:
      pattern = "isunordered(#0, #1) | (#0 >= #1)";
      break;
    case P::ULT:
      pattern = "isunordered(#0, #1) | (#0 < #1)";
      break;
    case P::ULE:
      pattern = "isunordered(#0, #1) | (#0 <= #1)";
      break;
    }
  }
  return define(op, [&](size_t place, int64_t width) {
    // Integers have a sign in variables.
    std::string text = substitute(pattern, [&](size_t i) {
      std::string operand = piece(op->getOperand(i), place);
      return isUnsigned ? asUnsigned(element, width, operand) : operand;
    });
    // Vectors are compared to masks as wide as their elements.
    bool isWhole = width == 1 || widthOf(element) == 32 || isTruth(element);
    return isWhole ? text
                   : "convert_int" + std::to_string(width) + "(" + text + ")";
  });
}

LogicalResult OpenClPrinter::printSelect(arith::SelectOp op) {
  if (isa<MemRefType>(op.getType())) {
    if (valueOf(op.getTrueValue()).space != valueOf(op.getFalseValue()).space)
      return refuse(op, "it chooses between memory of different kinds");
    // A pointer's kind of memory is a part of its type.
    ClValue chosen = declare(op.getType(), &valueOf(op.getFalseValue()));
    line() << "if (" << piece(op.getCondition()) << ")\n";
    os.indent(2 * indent + 2)
        << chosen.pieces[0] << " = " << piece(op.getTrueValue()) << ";\n";
    values[op] = std::move(chosen);
    return success();
  }
  Type element = getElementTypeOrSelf(op.getType());
  bool isScalar = !isa<VectorType>(op.getCondition().getType());
  return define(op, [&](size_t place, int64_t width) {
    const std::string &yes = piece(op.getTrueValue(), place),
                      &no = piece(op.getFalseValue(), place),
                      &condition =
                          piece(op.getCondition(), isScalar ? 0 : place);
    // The operator takes a scalar condition for vectors, too.
    if (isScalar || width == 1)
      return condition + " ? " + yes + " : " + no;
    static const llvm::StringLiteral masks[] = {"char", "short", "int", "long"};
    // The function wants a mask with elements as wide as those that it
    // chooses.
    unsigned bits = isTruth(element) ? 32 : widthOf(element);
    std::string mask = bits == 32
                           ? condition
                           : ("convert_" + masks[llvm::Log2_32(bits / 8)] +
                              llvm::Twine(width) + "(" + condition + ")")
                                 .str();
    return "select(" + no + ", " + yes + ", " + mask + ")";
  });
}

LogicalResult OpenClPrinter::printCast(Operation *op) {
  Value source = op->getOperand(0);
  Type from = getElementTypeOrSelf(source.getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<arith::BitcastOp>(op) && (isTruth(from) || isTruth(to)))
    return refuse(op, "it reads the bits of truth values");
  // Conversions round to nearest, and to zero where the result is an
  // integer, as the ops do.
  bool isUnsigned =
      isa<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(op);
  return define(op, [&](size_t place, int64_t width) {
    std::string text = piece(source, place), type = nameType(to, width),
                convert = "convert_" + type;
    if (isa<arith::BitcastOp>(op))
      return "as_" + type + "(" + text + ")";
    if (isa<arith::FPToUIOp>(op)) {
      // All that isn't even a truth value is undefined.
      if (isTruth(to))
        return (width == 1 ? "" : "-") +
               ("convert_int" + (width == 1 ? "" : std::to_string(width)) +
                "_rtz(" + text + ")");
      return asSigned(to, width,
                      "convert_" + unsignedType(to, width) + "_rtz(" + text +
                          ")");
    }
    if (isa<arith::FPToSIOp>(op) && !isTruth(to))
      return convert + "_rtz(" + text + ")";
    if (isTruth(to)) {
      // The last bit decides.
      return width == 1 ? "(int)(" + text + " & 1)"
                        : convert + "(-(" + text + " & (" +
                              nameType(from, width) + ")(1)))";
    }
    // True is 1 in a scalar, and -1 in a vector.
    if (isTruth(from)) {
      if (width == 1)
        return convert + "(" + (isUnsigned ? text : "-" + text) + ")";
      return convert + "(" + text + (isUnsigned ? " & 1)" : ")");
    }
    if (isUnsigned)
      text = asUnsigned(from, width, text);
    return convert + "(" + text + ")";
  });
}

LogicalResult OpenClPrinter::printInteger(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isTruth(element) && !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return refuse(op, "it calculates with truth values");
  if (auto product = dyn_cast<arith::MulUIExtendedOp>(op)) {
    // Both results have the layout of the first.
    PieceLayout layout = *layoutOf(product.getLow().getType());
    ClValue low, high;
    for (auto [place, width] : llvm::enumerate(layout.widths)) {
      // The lower half of a product has the same bits with a sign.
      std::string a =
          asUnsigned(element, width, piece(product.getLhs(), place));
      std::string b =
          asUnsigned(element, width, piece(product.getRhs(), place));
      low.pieces.push_back(
          bind(element, width, asSigned(element, width, a + " * " + b)));
      high.pieces.push_back(
          bind(element, width,
               asSigned(element, width, "mul_hi(" + a + ", " + b + ")")));
    }
    values[product.getLow()] = std::move(low);
    values[product.getHigh()] = std::move(high);
    return success();
  }
  // An op may promise that it doesn't overflow.
  bool canOverflow = !element.isIndex();
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    canOverflow &= !flags.hasNoSignedWrap();
  // How it is computed: with a sign, without, or where it doesn't matter.
  StringRef plain, wrapping;
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::AddIOp>([&](auto) { plain = "#0 + #1"; })
      .Case<arith::SubIOp>([&](auto) { plain = "#0 - #1"; })
      .Case<arith::MulIOp>([&](auto) { plain = "#0 * #1"; })
      .Case<arith::AndIOp>([&](auto) { plain = "#0 & #1"; })
      .Case<arith::OrIOp>([&](auto) { plain = "#0 | #1"; })
      .Case<arith::XOrIOp>([&](auto) { plain = "#0 ^ #1"; })
      .Case<arith::ShRSIOp>([&](auto) { plain = "#0 >> #1"; })
      .Case<arith::DivSIOp>([&](auto) { plain = "#0 / #1"; })
      .Case<arith::RemSIOp>([&](auto) { plain = "#0 % #1"; })
      .Case<arith::MinSIOp>([&](auto) { plain = "min(#0, #1)"; })
      .Case<arith::MaxSIOp>([&](auto) { plain = "max(#0, #1)"; })
      .Case<math::AbsIOp>([&](auto) { wrapping = "abs(#0)"; })
      .Case<arith::ShLIOp>([&](auto) { wrapping = "#0 << #1"; })
      .Case<arith::ShRUIOp>([&](auto) { wrapping = "#0 >> #1"; })
      .Case<arith::DivUIOp>([&](auto) { wrapping = "#0 / #1"; })
      .Case<arith::RemUIOp>([&](auto) { wrapping = "#0 % #1"; })
      .Case<arith::MinUIOp>([&](auto) { wrapping = "min(#0, #1)"; })
      .Case<arith::MaxUIOp>([&](auto) { wrapping = "max(#0, #1)"; })
      .Case<math::CountLeadingZerosOp>([&](auto) { plain = "clz(#0)"; })
      .Case<math::CtPopOp>([&](auto) { plain = "popcount(#0)"; });
  if (plain.empty() && wrapping.empty())
    return refuse(op, "replace it by other arithmetic");
  // Without a sign, numbers wrap around.
  if (canOverflow && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    std::swap(plain, wrapping);
  return define(op, [&](size_t place, int64_t width) {
    auto text = [&](StringRef pattern, bool isUnsigned) {
      return substitute(pattern, [&](size_t i) {
        std::string operand = piece(op->getOperand(i), place);
        return isUnsigned ? asUnsigned(element, width, operand) : operand;
      });
    };
    // The result's bits become the type that variables have.
    if (!wrapping.empty())
      return asSigned(element, width,
                      text(wrapping, /*isUnsigned=*/!isa<math::AbsIOp>(op)));
    std::string computed = text(plain, /*isUnsigned=*/false);
    return width == 1 && widthOf(element) < 32 && !isTruth(element)
               ? asSigned(element, width, computed)
               : computed;
  });
}

LogicalResult OpenClPrinter::printArith(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return printConstant(constant);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return printSelect(select);
  if (isa<arith::CmpIOp, arith::CmpFOp>(op))
    return printCompare(op);
  if (isa<arith::BitcastOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::FPToSIOp, arith::FPToUIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, arith::SIToFPOp, arith::TruncFOp,
          arith::TruncIOp, arith::UIToFPOp>(op))
    return printCast(op);
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op)) {
    // A NaN of either operand is the result: as the first one it is chosen,
    // and as the second one no comparison holds.
    StringRef sign = isa<arith::MaximumFOp>(op) ? ">" : "<";
    return define(op, [&](size_t place, int64_t width) {
      const std::string &a = piece(op->getOperand(0), place),
                        &b = piece(op->getOperand(1), place);
      std::string isFirst =
          ("(" + a + " " + sign + " " + b + ") | isnan(" + a + ")").str();
      return width == 1 ? "(" + isFirst + ") ? " + a + " : " + b
                        : "select(" + b + ", " + a + ", " + isFirst + ")";
    });
  }
  if (StringRef pattern = spellFloat(op->getName().getStringRef());
      !pattern.empty())
    return define(op, [&](size_t place, int64_t) {
      return substitute(
          pattern, [&](size_t i) { return piece(op->getOperand(i), place); });
    });
  return printInteger(op);
}

LogicalResult OpenClPrinter::printMath(Operation *op) {
  StringRef pattern = spellFloat(op->getName().getStringRef());
  if (isa<math::FPowIOp>(op) &&
      getElementTypeOrSelf(op->getOperand(1).getType()).isInteger(32))
    pattern = "pown(#0, #1)";
  if (!pattern.empty())
    return define(op, [&](size_t place, int64_t) {
      return substitute(
          pattern, [&](size_t i) { return piece(op->getOperand(i), place); });
    });
  if (isa<math::AbsIOp, math::CountLeadingZerosOp, math::CtPopOp>(op))
    return printInteger(op);
  return refuse(op, "replace it by other arithmetic");
}
