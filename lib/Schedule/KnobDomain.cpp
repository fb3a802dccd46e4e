//===- KnobDomain.cpp - Options of a knob as a parameter ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lets the options of `transform.tune.knob` be any attribute. This
// file says which of them we understand. Two spellings of dictionaries are in
// use in the wild; both are read.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Choices.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::tune::KnobOp;

/// The value that an attribute stands for. An attribute that is neither a
/// number, a bool nor a string is its own text.
static baco::Value valueOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (integer.getType().isInteger(1))
      return integer.getValue().getBoolValue();
    return integer.getValue().getSExtValue();
  }
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  if (auto string = dyn_cast<StringAttr>(attribute))
    return string.getValue().str();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static bool isNumber(const baco::Value &value) {
  return std::holds_alternative<int64_t>(value) ||
         std::holds_alternative<double>(value);
}

static double toDouble(const baco::Value &value) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return *integer;
  return std::get<double>(value);
}

/// A list of options: numbers are ordered, anything else is a category. The
/// default is the first as written.
static Result<KnobDomain> readList(std::string name,
                                   ArrayRef<Attribute> options, bool log) {
  SmallVector<std::pair<baco::Value, Attribute>> pairs;
  for (Attribute option : options)
    pairs.push_back({valueOf(option), option});
  bool numeric =
      llvm::all_of(pairs, [](auto &pair) { return isNumber(pair.first); });
  std::optional<baco::Value> first;
  if (!pairs.empty())
    first = pairs.front().first;
  if (numeric)
    llvm::sort(pairs, [](auto &a, auto &b) {
      return toDouble(a.first) < toDouble(b.first);
    });
  std::vector<baco::Value> values;
  SmallVector<Attribute> attributes;
  for (auto &[value, attribute] : pairs) {
    values.push_back(value);
    attributes.push_back(attribute);
  }
  Result<Parameter> parameter =
      numeric ? Parameter::ordinal(std::move(name), std::move(values), log)
              : Parameter::categorical(std::move(name), std::move(values));
  if (!parameter)
    return parameter.error();
  parameter->defaultValue = first;
  return KnobDomain{*parameter, std::move(attributes)};
}

/// The integers of a dictionary, by key.
class RangeKeys {
public:
  RangeKeys(KnobOp knob, DictionaryAttr dictionary)
      : knob(knob), dictionary(dictionary) {}

  /// The integer under `key`, if it is there.
  FailureOr<std::optional<int64_t>> get(StringRef key) {
    Attribute attribute = dictionary.get(key);
    if (!attribute)
      return std::optional<int64_t>();
    if (auto integer = dyn_cast<IntegerAttr>(attribute))
      return std::optional<int64_t>(integer.getValue().getSExtValue());
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': '" << key
           << "' must be an integer, but is " << attribute;
  }

  LogicalResult checkKnown(ArrayRef<StringRef> known) {
    for (NamedAttribute entry : dictionary)
      if (!llvm::is_contained(known, entry.getName().getValue()))
        return knob.emitError()
               << "knob '" << knob.getName().getValue() << "': unknown key '"
               << entry.getName().getValue() << "' in its options; known are "
               << llvm::join(known, ", ");
    return success();
  }

private:
  KnobOp knob;
  DictionaryAttr dictionary;
};

/// More values than any list of options that a person means to write.
static constexpr int64_t maxListed = 1 << 20;

/// {options, lower_bound, upper_bound, divisible_by, divides}: the options, or
/// all integers from lower to upper bound, that pass the divisibility tests.
static FailureOr<SmallVector<Attribute>> listOfRange(KnobOp knob,
                                                     DictionaryAttr dict) {
  RangeKeys keys(knob, dict);
  FailureOr<std::optional<int64_t>> lower = keys.get("lower_bound"),
                                    upper = keys.get("upper_bound"),
                                    multiple = keys.get("divisible_by"),
                                    whole = keys.get("divides");
  if (failed(lower) || failed(upper) || failed(multiple) || failed(whole))
    return failure();
  auto fail = [&](const Twine &what) {
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': " << what;
  };
  if ((*multiple && **multiple <= 0) || (*whole && **whole <= 0))
    return fail("'divisible_by' and 'divides' must be positive");
  SmallVector<Attribute> candidates;
  if (Attribute options = dict.get("options")) {
    auto array = dyn_cast<ArrayAttr>(options);
    if (!array)
      return fail("'options' must be an array");
    candidates.assign(array.begin(), array.end());
  } else {
    int64_t first = lower->value_or(1);
    std::optional<int64_t> last = *upper ? *upper : *whole;
    if (!last)
      return fail("options need 'options', 'upper_bound' or 'divides'");
    int64_t step = multiple->value_or(1);
    if (*last - first > maxListed * step)
      return fail("more than " + Twine(maxListed) +
                  " values: use a domain "
                  "like #baco.integer<" +
                  Twine(first) + " to " + Twine(*last) + ">");
    Builder builder(knob.getContext());
    for (int64_t v = llvm::divideFloorSigned(first + step - 1, step) * step;
         v <= *last; v += step)
      candidates.push_back(builder.getI64IntegerAttr(v));
  }
  SmallVector<Attribute> kept;
  for (Attribute candidate : candidates) {
    auto integer = dyn_cast<IntegerAttr>(candidate);
    if (!integer)
      return fail("with bounds, all options must be integers");
    int64_t v = integer.getValue().getSExtValue();
    if ((*lower && v < **lower) || (*upper && v > **upper) ||
        (*multiple && v % **multiple != 0) ||
        (*whole && (v == 0 || **whole % v != 0)))
      continue;
    kept.push_back(candidate);
  }
  if (kept.empty())
    return fail("no option meets its bounds");
  return kept;
}

static FailureOr<Result<KnobDomain>>
readDictionary(KnobOp knob, std::string name, DictionaryAttr dict) {
  RangeKeys keys(knob, dict);
  if (!dict.contains("lb") && !dict.contains("ub")) {
    if (failed(keys.checkKnown({"options", "lower_bound", "upper_bound",
                                "divisible_by", "divides"})))
      return failure();
    FailureOr<SmallVector<Attribute>> list = listOfRange(knob, dict);
    if (failed(list))
      return failure();
    return readList(std::move(name), *list, /*log=*/false);
  }
  if (failed(keys.checkKnown({"lb", "ub", "step"})))
    return failure();
  FailureOr<std::optional<int64_t>> lower = keys.get("lb"),
                                    upper = keys.get("ub"),
                                    step = keys.get("step");
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  if (!*lower || !*upper)
    return knob.emitError() << "knob '" << knob.getName().getValue()
                            << "': a range needs both 'lb' and 'ub'";
  Result<Parameter> parameter =
      Parameter::integer(std::move(name), **lower, **upper, step->value_or(1));
  if (!parameter)
    return Result<KnobDomain>(parameter.error());
  return Result<KnobDomain>(KnobDomain{*parameter, {}});
}

/// A parameter with no attribute of its own for each value.
static Result<KnobDomain> plain(Result<Parameter> parameter) {
  if (!parameter)
    return parameter.error();
  return KnobDomain{*parameter, {}};
}

static Result<KnobDomain> readDomainAttr(std::string name, Attribute domain) {
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain)) {
    std::vector<baco::Value> values(ordinal.getValues().begin(),
                                    ordinal.getValues().end());
    return plain(Parameter::ordinal(std::move(name), std::move(values),
                                    ordinal.getLog()));
  }
  if (auto range = dyn_cast<IntegerRangeAttr>(domain))
    return plain(Parameter::integer(std::move(name), range.getLower(),
                                    range.getUpper(), range.getStep(),
                                    range.getLog()));
  if (auto range = dyn_cast<RealRangeAttr>(domain))
    return plain(
        Parameter::real(std::move(name), range.getLower().convertToDouble(),
                        range.getUpper().convertToDouble(), range.getLog()));
  if (auto order = dyn_cast<PermutationAttr>(domain))
    return plain(Parameter::permutation(std::move(name), order.getCount(),
                                        order.getMetric()));
  auto categorical = cast<CategoricalAttr>(domain);
  SmallVector<Attribute> attributes(categorical.getValues().getValue());
  std::vector<baco::Value> values;
  for (Attribute attribute : attributes)
    values.push_back(valueOf(attribute));
  Result<Parameter> parameter =
      Parameter::categorical(std::move(name), std::move(values));
  if (!parameter)
    return parameter.error();
  return KnobDomain{*parameter, std::move(attributes)};
}

/// The order that `attribute` lists, or nullopt.
static std::optional<Permutation> readOrder(Attribute attribute) {
  Permutation order;
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    order.assign(dense.asArrayRef().begin(), dense.asArrayRef().end());
    return order;
  }
  auto array = dyn_cast<ArrayAttr>(attribute);
  if (!array)
    return std::nullopt;
  for (Attribute element : array) {
    auto integer = dyn_cast<IntegerAttr>(element);
    if (!integer)
      return std::nullopt;
    order.push_back(integer.getInt());
  }
  return order;
}

/// Applies `baco.default` and `baco.weights`.
static LogicalResult readExpertise(KnobOp knob, Parameter &parameter) {
  if (Attribute attribute = knob->getAttr(BacoDialect::kDefault)) {
    baco::Value value = valueOf(attribute);
    if (parameter.kind() == ParameterKind::Permutation)
      if (std::optional<Permutation> order = readOrder(attribute))
        value = *order;
    if (!parameter.contains(value))
      return knob.emitError()
             << "knob '" << knob.getName().getValue() << "': default "
             << attribute << " is not one of its options";
    parameter.defaultValue = value;
  }
  if (auto weights =
          knob->getAttrOfType<DenseF64ArrayAttr>(BacoDialect::kWeights))
    parameter.weights.assign(weights.asArrayRef().begin(),
                             weights.asArrayRef().end());
  return success();
}

FailureOr<KnobDomain> schedule::readDomain(KnobOp knob, std::string name) {
  Attribute options = knob.getOptions();
  FailureOr<Result<KnobDomain>> domain = failure();
  if (auto array = dyn_cast<ArrayAttr>(options))
    domain = readList(std::move(name), array.getValue(), /*log=*/false);
  else if (auto dictionary = dyn_cast<DictionaryAttr>(options))
    domain = readDictionary(knob, std::move(name), dictionary);
  else if (isa<DomainAttrInterface>(options))
    domain = readDomainAttr(std::move(name), options);
  else
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': options " << options
           << " are not understood: write an array, a dictionary with 'lb' and "
              "'ub', or a domain like #baco.ordinal<[8, 16]>";
  if (failed(domain))
    return failure();
  if (!*domain)
    return knob.emitError((*domain).error().message);
  KnobDomain result = std::move(**domain);
  result.parameter.location = describe(knob.getLoc());
  if (failed(readExpertise(knob, result.parameter)))
    return failure();
  return result;
}

Attribute schedule::attributeOf(const Choice &choice, const baco::Value &value,
                                Type type) {
  if (!choice.attributes.empty())
    return choice.attributes[*choice.parameter.indexOf(value)];
  Builder builder(type.getContext());
  auto param = dyn_cast<transform::ParamType>(type);
  if (const auto *integer = std::get_if<int64_t>(&value))
    return builder.getIntegerAttr(
        param ? param.getType() : builder.getI64Type(), *integer);
  if (const auto *real = std::get_if<double>(&value))
    return builder.getFloatAttr(param ? param.getType() : builder.getF64Type(),
                                *real);
  if (const auto *order = std::get_if<Permutation>(&value))
    return builder.getI64ArrayAttr(
        SmallVector<int64_t>(order->begin(), order->end()));
  if (const auto *flag = std::get_if<bool>(&value))
    return builder.getBoolAttr(*flag);
  return builder.getStringAttr(std::get<std::string>(value));
}
