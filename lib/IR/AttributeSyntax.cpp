//===- AttributeSyntax.cpp - How attributes are written -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the assembly that ODS has no directive for, the classes that it
// generates, and their registration.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/StepLocations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// Custom directives, in the order of BacoAttributes.td and BacoRecipe.td
//===----------------------------------------------------------------------===//

/// `[` integer, ... `]`
static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printIntegers(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << "[" << values << "]";
}

/// [`,` `log`]
static ParseResult parseLog(AsmParser &parser, bool &log) {
  log = succeeded(parser.parseOptionalComma());
  return log ? parser.parseKeyword("log") : success();
}

static void printLog(AsmPrinter &printer, bool log) {
  if (log)
    printer << ", log";
}

static ParseResult parseDouble(AsmParser &parser, FailureOr<APFloat> &value) {
  double number;
  if (parser.parseFloat(number))
    return failure();
  value = APFloat(number);
  return success();
}

static void printDouble(AsmPrinter &printer, const APFloat &value) {
  printer.printFloat(value);
}

static constexpr std::array<StringLiteral, 4> metricNames = {
    "spearman", "kendall", "hamming", "naive"};

/// [`,` metric]
static ParseResult parseMetric(AsmParser &parser, PermutationMetric &metric) {
  metric = PermutationMetric::Spearman;
  if (failed(parser.parseOptionalComma()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  const auto *found = llvm::find(metricNames, name);
  if (found == metricNames.end())
    return parser.emitError(loc)
           << "expected spearman, kendall, hamming or naive, but found '"
           << name << "'";
  metric = static_cast<PermutationMetric>(found - metricNames.begin());
  return success();
}

static void printMetric(AsmPrinter &printer, PermutationMetric metric) {
  if (metric != PermutationMetric::Spearman)
    printer << ", " << metricNames[static_cast<size_t>(metric)];
}

/// [`,` `default` `=` attribute] [`,` `weights` `=` `[` number, ... `]`]
static ParseResult parseKnobOptions(AsmParser &parser, Attribute &defaultValue,
                                    DenseF64ArrayAttr &weights,
                                    IntegerAttr &extent) {
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    if (keyword == "default" && !defaultValue) {
      if (parser.parseAttribute(defaultValue))
        return failure();
      continue;
    }
    if (keyword == "extent" && !extent) {
      int64_t number;
      if (parser.parseInteger(number))
        return failure();
      extent = parser.getBuilder().getI64IntegerAttr(number);
      continue;
    }
    if (keyword != "weights" || weights)
      return parser.emitError(loc)
             << "expected one 'default', one 'weights' and one 'extent' at "
                "most, but found '"
             << keyword << "'";
    SmallVector<double> values;
    auto parseWeight = [&] { return parser.parseFloat(values.emplace_back()); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseWeight))
      return failure();
    weights = DenseF64ArrayAttr::get(parser.getContext(), values);
  }
  return success();
}

static void printKnobOptions(AsmPrinter &printer, Attribute defaultValue,
                             DenseF64ArrayAttr weights, IntegerAttr extent) {
  if (defaultValue) {
    printer << ", default = ";
    printer.printAttributeWithoutType(defaultValue);
  }
  if (weights) {
    printer << ", weights = [";
    llvm::interleaveComma(weights.asArrayRef(), printer, [&](double weight) {
      printer.printFloat(APFloat(weight));
    });
    printer << "]";
  }
  if (extent)
    printer << ", extent = " << extent.getInt();
}

/// [`,` "reason"] [`,` `advisory`]
static ParseResult parseReasonAndAdvisory(AsmParser &parser,
                                          std::string &reason, bool &advisory) {
  advisory = false;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalString(&reason)) &&
      failed(parser.parseOptionalComma()))
    return success();
  advisory = true;
  return parser.parseKeyword("advisory");
}

static void printReasonAndAdvisory(AsmPrinter &printer, StringRef reason,
                                   bool advisory) {
  if (!reason.empty()) {
    printer << ", ";
    printer.printString(reason);
  }
  if (advisory)
    printer << ", advisory";
}

/// `[` step, ... `]`
static ParseResult parseSteps(AsmParser &parser, ArrayAttr &list) {
  SmallVector<Attribute> steps;
  SmallVector<FileLineColLoc> places;
  auto parseStep = [&]() -> ParseResult {
    Location place = parser.getEncodedSourceLoc(parser.getCurrentLocation());
    if (auto inFile = dyn_cast<FileLineColLoc>(place))
      places.push_back(inFile);
    return parser.parseAttribute(steps.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseStep))
    return failure();
  list = parser.getBuilder().getArrayAttr(steps);
  auto *dialect = parser.getContext()->getLoadedDialect<BacoDialect>();
  dialect->getRegisteredInterface<StepLocations>()->note(list,
                                                         std::move(places));
  return success();
}

/// A list with a line for each of several elements.
template <typename Range, typename Print>
static void printList(AsmPrinter &printer, const Range &elements, Print print) {
  bool hasLines = elements.size() > 1;
  printer << "[";
  if (hasLines)
    printer.increaseIndent();
  llvm::interleave(
      elements,
      [&](const auto &element) {
        if (hasLines)
          printer.printNewline();
        print(element);
      },
      [&] { printer << ","; });
  if (hasLines)
    printer.decreaseIndent();
  printer << "]";
}

static void printSteps(AsmPrinter &printer, ArrayAttr steps) {
  printList(printer, steps,
            [&](Attribute step) { printer.printAttributeWithoutType(step); });
}

/// [`,` `nests` `=` number] [`,` `where` `=` `[` condition, ... `]`] with a
/// condition being [`advisory`] "expression" [`:` "reason"]
static ParseResult parseWhere(AsmParser &parser,
                              SmallVectorImpl<ConstraintAttr> &where,
                              int64_t &nests) {
  nests = 1;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("nests"))) {
    if (parser.parseEqual() || parser.parseInteger(nests))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  auto parseCondition = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    bool advisory = succeeded(parser.parseOptionalKeyword("advisory"));
    std::string expression, reason;
    if (parser.parseString(&expression) ||
        (succeeded(parser.parseOptionalColon()) && parser.parseString(&reason)))
      return failure();
    auto constraint = parser.getChecked<ConstraintAttr>(
        loc, parser.getContext(), expression, reason, advisory);
    where.push_back(constraint);
    return success(constraint != nullptr);
  };
  return failure(parser.parseKeyword("where") || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseCondition));
}

static void printWhere(AsmPrinter &printer, ArrayRef<ConstraintAttr> where,
                       int64_t nests) {
  if (nests != 1)
    printer << ", nests = " << nests;
  if (where.empty())
    return;
  printer << ",";
  if (where.size() > 1)
    printer.printNewline();
  else
    printer << " ";
  printer << "where = ";
  printList(printer, where, [&](ConstraintAttr constraint) {
    if (constraint.getAdvisory())
      printer << "advisory ";
    printer.printString(constraint.getExpression());
    if (constraint.getReason().empty())
      return;
    printer << " : ";
    printer.printString(constraint.getReason());
  });
}

/// An integer or a knob.
static ParseResult parseField(AsmParser &parser, Attribute &field) {
  return parser.parseAttribute(field);
}

static void printField(AsmPrinter &printer, Attribute field) {
  printer.printAttributeWithoutType(field);
}

static ParseResult parseIndexList(AsmParser &parser, DenseI64ArrayAttr &list) {
  SmallVector<int64_t> values;
  if (parseIntegers(parser, values))
    return failure();
  list = DenseI64ArrayAttr::get(parser.getContext(), values);
  return success();
}

static void printIndexList(AsmPrinter &printer, DenseI64ArrayAttr list) {
  printIntegers(printer, list.asArrayRef());
}

//===----------------------------------------------------------------------===//
// Code that ODS generates
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "baco/IR/BacoAttributes.cpp.inc"

/// The replacement of a step that earlier versions had; empty for other names.
static StringRef replacementOf(StringRef step) {
  return llvm::StringSwitch<StringRef>(step)
      .Case("pack",
            "transform.structured.pack, or the loop command 'loop_copy'")
      .Case("pad", "transform.structured.pad, or the 'remainders' of a 'tile'")
      .Case("fuse", "transform.structured.fuse_into_containing_op, or the loop "
                    "command 'loop_fuse'")
      .Case("fuse_consumers", "transform.structured.fuse on the consumer, or "
                              "the loop command 'loop_fuse'")
      .Case("generalize", "transform.structured.generalize, or a "
                          "linalg.generic")
      .Case("split_reduction",
            "transform.structured.tile_reduction_using_for, or loop commands")
      .Case("unroll", "transform.loop.unroll, or the loop command "
                      "'loop_unroll'")
      .Default("");
}

// Loop commands have mnemonics that ODS doesn't know.
Attribute BacoDialect::parseAttribute(DialectAsmParser &parser,
                                      Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  if (generatedAttributeParser(parser, &mnemonic, type, attribute).has_value())
    return attribute;
  if (const auto *command = polyhedral::findByMnemonic(mnemonic))
    return LoopCommandAttr::parse(parser, *command);
  if (StringRef other = replacementOf(mnemonic); !other.empty())
    parser.emitError(loc) << "the step '" << mnemonic << "' was removed; use "
                          << other;
  else
    parser.emitError(loc) << "unknown attribute `" << mnemonic
                          << "` in dialect `" << getNamespace() << "`";
  return {};
}

void BacoDialect::printAttribute(Attribute attribute,
                                 DialectAsmPrinter &printer) const {
  if (auto command = dyn_cast<LoopCommandAttr>(attribute))
    command.print(printer);
  else
    (void)generatedAttributePrinter(attribute, printer);
}

void BacoDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "baco/IR/BacoAttributes.cpp.inc"
      >();
}
