//===- Entry.cpp - Entries of tuned libraries -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Entry.h"

#include "baco/Analysis/Fingerprint.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Support/ContentHash.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Config/llvm-config.h"

#include <cmath>

using namespace mlir;
using namespace baco;
using namespace baco::apply;

/// Adds the loops of an op, and which of them each index of each operand varies
/// with: a product of matrices isn't one with a vector, though both may be a
/// linalg.generic that multiplies and adds. Strides and shapes don't count.
static void addIndexing(linalg::LinalgOp op, ContentHash &structure) {
  for (utils::IteratorType type : op.getIteratorTypesArray())
    structure.add(utils::stringifyIteratorType(type));
  for (AffineMap map : op.getIndexingMapsArray()) {
    structure.add("(");
    for (AffineExpr index : map.getResults()) {
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        if (index.isFunctionOfDim(loop))
          structure.add(" " + std::to_string(loop));
      structure.add(",");
    }
  }
}

/// Adds the attributes by which a schedule may find the function `name` and the
/// functions that it uses. Their fingerprint doesn't have these.
static void addAttributes(ModuleOp module, StringAttr name, ContentHash &hash) {
  for (auto [i, used] : llvm::enumerate(findReachable(module, name)))
    for (NamedAttribute attribute :
         module.lookupSymbol(used)->getDiscardableAttrs()) {
      if (attribute.getName().strref().starts_with("baco."))
        continue;
      std::string text;
      llvm::raw_string_ostream(text)
          << i << " " << attribute.getName().getValue() << " "
          << attribute.getValue() << "\n";
      hash.add(text);
    }
}

/// The text of `recipe` without its line breaks, which hashes don't depend on.
static std::string writeOnOneLine(Attribute recipe) {
  std::string text = debugString(recipe), line;
  StringRef rest = text;
  while (!rest.empty()) {
    auto [before, after] = rest.split('\n');
    line += before;
    rest = after.ltrim(' ');
    if (before.ends_with(",") && !rest.empty())
      line += ' ';
  }
  return line;
}

std::string apply::hashSchedule(func::FuncOp function, ModuleOp schedule) {
  ContentHash hash;
  if (schedule) {
    auto module = function->getParentOfType<ModuleOp>();
    hash.add(canonicalText(module, function.getName(), schedule).schedule);
    addAttributes(module, function.getSymNameAttr(), hash);
    return hash.digits();
  }
  // Ops without recipes have no effect, but the place of the others has.
  bool hasAny = false;
  llvm::DenseMap<OperationName, unsigned> places;
  function.walk([&](Operation *op) {
    unsigned place = places[op->getName()]++;
    Attribute recipe = op->getAttr(BacoDialect::kRecipe);
    if (!recipe)
      return;
    hasAny = true;
    std::string text;
    llvm::raw_string_ostream(text) << op->getName() << " " << place << " "
                                   << writeOnOneLine(recipe) << "\n";
    hash.add(text);
  });
  return hasAny ? hash.digits() : "";
}

FunctionKey FunctionKey::of(func::FuncOp function, ModuleOp schedule) {
  ContentHash structure;
  function.walk([&](Operation *op) {
    // Their order is a matter of taste.
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    structure.add(op->getName().getStringRef());
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      addIndexing(linalgOp, structure);
    structure.add("\n");
  });
  Fingerprint fingerprint = takeFingerprint(
      function->getParentOfType<ModuleOp>(), function.getName());
  return {function.getName().str(),     std::move(fingerprint.digits),
          structure.digits(),           hashSchedule(function, schedule),
          std::move(fingerprint.parts), std::move(fingerprint.used)};
}

bool apply::mayBeKernel(func::FuncOp function) {
  return !function.isExternal() && !isNoTune(function) &&
         (schedule::hasOpsToTune(function) || hasRecipe(function));
}

Versions Versions::current() {
  return {BACO_VERSION_STRING, LLVM_VERSION_STRING, pipelineVersion};
}

std::string Versions::str() const {
  return "baco " + baco + ", LLVM " + llvm + ", pipeline " +
         std::to_string(pipeline);
}

bool apply::isRatio(double ratio) { return std::isfinite(ratio) && ratio > 0; }

bool apply::isRatioInterval(double least, double most) {
  return isRatio(least) && isRatio(most) && least <= most;
}

/// The code of the tuned module.
static constexpr StringLiteral kOutcome = "outcome";
static constexpr StringLiteral kShapes = "shapes";
/// The outcome of functions that aren't kernels.
static constexpr StringLiteral untuned = "untuned";

namespace {
/// The fields of an entry, for writing and for reading.
template <typename EntryT>
auto textFields(EntryT &entry) {
  using Field = std::pair<StringLiteral, decltype(&entry.key.name)>;
  return std::array<Field, 14>{Field{"function", &entry.key.name},
                               {"fingerprint", &entry.key.fingerprint},
                               {"structure", &entry.key.structure},
                               {"schedule", &entry.key.schedule},
                               {"parts", &entry.key.parts},
                               {"cpu", &entry.machine.cpu},
                               {"isa", &entry.machine.isa},
                               {"host", &entry.machine.host},
                               {"gpu", &entry.machine.gpu},
                               {"baco", &entry.versions.baco},
                               {"llvm", &entry.versions.llvm},
                               {"evaluator", &entry.evidence.evaluator},
                               {"configuration", &entry.evidence.configuration},
                               {"extents", &entry.evidence.extents}};
}

template <typename EntryT>
auto ratioFields(EntryT &entry) {
  auto &evidence = entry.evidence;
  using Field = std::tuple<StringLiteral, decltype(&evidence.speedup),
                           StringLiteral, decltype(&evidence.interval)>;
  return std::array<Field, 2>{Field{"speedup", &evidence.speedup,
                                    "speedup_interval", &evidence.interval},
                              {"speedup_over_plain", &evidence.speedupOverPlain,
                               "speedup_over_plain_interval",
                               &evidence.intervalOverPlain}};
}
} // namespace

DictionaryAttr Entry::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList fields;
  for (auto [name, text] : textFields(*this))
    if (!text->empty())
      fields.set(name, builder.getStringAttr(*text));
  for (auto [name, ratio, rangeName, range] : ratioFields(*this)) {
    if (*ratio)
      fields.set(name, builder.getF64FloatAttr(**ratio));
    if (*range)
      fields.set(rangeName, builder.getDenseF64ArrayAttr(
                                {(*range)->first, (*range)->second}));
  }
  if (!shapes.empty())
    fields.set(kShapes, builder.getStringAttr(frontend::writeShapes(shapes)));
  fields.set(kOutcome, builder.getStringAttr(kept ? StringRef(keptName(*kept))
                                                  : StringRef(untuned)));
  fields.set("pipeline", builder.getI64IntegerAttr(versions.pipeline));
  if (evidence.evaluations > 0)
    fields.set("evaluations", builder.getI64IntegerAttr(
                                  static_cast<int64_t>(evidence.evaluations)));
  if (isAsWritten)
    fields.set("as_written", builder.getUnitAttr());
  return fields.getDictionary(context);
}

llvm::Expected<Entry> Entry::read(Attribute attribute) {
  auto fields = dyn_cast<DictionaryAttr>(attribute);
  if (!fields)
    return llvm::createStringError("it must be a dictionary");
  auto wrong = [](StringRef name, StringRef type) {
    return llvm::createStringError("'" + name + "' must be " + type);
  };
  Entry entry;
  for (auto [name, text] : textFields(entry)) {
    Attribute value = fields.get(name);
    auto string = dyn_cast_or_null<StringAttr>(value);
    if (value && !string)
      return wrong(name, "a string");
    if (string)
      *text = string.str();
  }
  for (auto [name, ratio, rangeName, range] : ratioFields(entry)) {
    if (Attribute value = fields.get(name)) {
      auto number = dyn_cast<FloatAttr>(value);
      if (!number || !isRatio(number.getValueAsDouble()))
        return wrong(name, "a positive number");
      *ratio = number.getValueAsDouble();
    }
    if (Attribute value = fields.get(rangeName)) {
      auto numbers = dyn_cast<DenseF64ArrayAttr>(value);
      if (!numbers || numbers.size() != 2 ||
          !isRatioInterval(numbers[0], numbers[1]))
        return wrong(rangeName, "an array of two positive f64, the smaller "
                                "one first");
      *range = {numbers[0], numbers[1]};
    }
  }
  for (auto [name, text] :
       {std::pair<StringRef, std::string *>{"function", &entry.key.name},
        {"fingerprint", &entry.key.fingerprint}})
    if (text->empty())
      return wrong(name, "there");
  if (Attribute value = fields.get(kShapes)) {
    auto text = dyn_cast<StringAttr>(value);
    if (!text)
      return wrong(kShapes, "a string");
    auto shapes = frontend::readShapes(text);
    if (!shapes)
      return llvm::createStringError(
          "'" + kShapes + "': " + llvm::toString(shapes.takeError()));
    entry.shapes = std::move(*shapes);
  }
  auto outcome = fields.getAs<StringAttr>(kOutcome);
  if (outcome)
    entry.kept = parseKept(outcome.getValue());
  if (!outcome || (!entry.kept && outcome.getValue() != untuned))
    return wrong(kOutcome, R"("tuned", "default", "plain" or "untuned")");
  auto pipeline = fields.getAs<IntegerAttr>("pipeline");
  if (!pipeline)
    return wrong("pipeline", "an integer");
  entry.versions.pipeline = pipeline.getInt();
  if (Attribute value = fields.get("evaluations")) {
    auto evaluations = dyn_cast<IntegerAttr>(value);
    if (!evaluations || evaluations.getInt() < 0)
      return wrong("evaluations", "a natural number");
    entry.evidence.evaluations = evaluations.getInt();
  }
  entry.isAsWritten = fields.contains("as_written");
  entry.isStock = fields.contains(kStock);
  return entry;
}
