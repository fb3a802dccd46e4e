//===- KnobDomain.cpp - Options of a knob as a parameter ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream allows any attribute as the options of `transform.tune.knob`. This
// file parses those that baco supports.
//
//===----------------------------------------------------------------------===//

#include "KnobRange.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/Choices.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::tune::KnobOp;

baco::ParameterValue schedule::valueOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (integer.getType().isInteger(1))
      return integer.getValue().getBoolValue();
    bool isUnsigned = integer.getType().isUnsignedInteger();
    if (isUnsigned ? integer.getValue().isIntN(63)
                   : integer.getValue().isSignedIntN(64))
      return isUnsigned
                 ? static_cast<int64_t>(integer.getValue().getZExtValue())
                 : integer.getValue().getSExtValue();
  }
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  if (auto string = dyn_cast<StringAttr>(attribute))
    return string.getValue().str();
  return debugString(attribute);
}

/// `baco.weights`; empty if there are none.
static ArrayRef<double> weightsOf(KnobOp knob) {
  auto weights = knob->getAttrOfType<DenseF64ArrayAttr>(BacoDialect::kWeights);
  return weights ? weights.asArrayRef() : ArrayRef<double>();
}

namespace {
/// One of a list.
struct Option {
  baco::ParameterValue value;
  Attribute attribute;
  double weight = 0;
};
} // namespace

/// A list of options: numbers are ordered, anything else is a category. The
/// default is the first as written; weights are those of the options as
/// written.
static Result<KnobDomain> readList(std::string name,
                                   ArrayRef<Attribute> options,
                                   ArrayRef<double> weights) {
  if (options.empty())
    return Error{
        ErrorCode::InvalidArgument,
        "knob '" + name +
            "' has no options: list at least one value, as in [8, 16]"};
  if (!weights.empty() && weights.size() != options.size())
    return Error{ErrorCode::InvalidArgument,
                 "knob '" + name + "': " + std::to_string(weights.size()) +
                     " weights for " + std::to_string(options.size()) +
                     " options"};
  SmallVector<Option> list;
  for (auto [i, option] : llvm::enumerate(options))
    list.push_back({valueOf(option), option, weights.empty() ? 0 : weights[i]});
  bool numeric =
      llvm::all_of(list, [](const Option &o) { return isNumber(o.value); });
  baco::ParameterValue first = list.front().value;
  if (numeric)
    llvm::sort(list, [](const Option &a, const Option &b) {
      return toDouble(a.value) < toDouble(b.value);
    });
  for (size_t i = 1; i < list.size(); ++i)
    if (numeric && list[i - 1].value == list[i].value)
      return Error{ErrorCode::InvalidArgument, "knob '" + name + "': option " +
                                                   toString(list[i].value) +
                                                   " is listed twice"};
  std::vector<baco::ParameterValue> values;
  SmallVector<Attribute> attributes;
  for (const Option &option : list) {
    values.push_back(option.value);
    attributes.push_back(option.attribute);
  }
  Result<Parameter> parameter =
      numeric ? Parameter::ordinal(std::move(name), std::move(values))
              : Parameter::categorical(std::move(name), std::move(values));
  if (!parameter)
    return parameter.error();
  parameter->defaultValue = first;
  if (!weights.empty())
    for (const Option &option : list)
      parameter->weights.push_back(option.weight);
  return KnobDomain{*parameter, std::move(attributes)};
}

/// A parameter with no attribute of its own for each value.
static Result<KnobDomain> plain(Result<Parameter> parameter) {
  if (!parameter)
    return parameter.error();
  return KnobDomain{*parameter, {}};
}

static Result<KnobDomain> readDomainAttr(std::string name, Attribute domain) {
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain)) {
    std::vector<baco::ParameterValue> values(ordinal.getValues().begin(),
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
  std::vector<baco::ParameterValue> values;
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

/// Applies `baco.default`, `baco.extent`, and `baco.weights` unless a list has
/// taken them.
static LogicalResult readExpertise(KnobOp knob, Parameter &parameter) {
  if (Attribute attribute = knob->getAttr(BacoDialect::kDefault)) {
    baco::ParameterValue value = valueOf(attribute);
    if (parameter.kind() == ParameterKind::Permutation)
      if (std::optional<Permutation> order = readOrder(attribute))
        value = *order;
    if (!parameter.contains(value))
      return knob.emitError()
             << "knob '" << knob.getName().getValue() << "': default "
             << attribute << " is not one of its options";
    parameter.defaultValue = value;
  }
  if (parameter.weights.empty()) {
    ArrayRef<double> weights = weightsOf(knob);
    parameter.weights.assign(weights.begin(), weights.end());
  }
  // Options may turn out to be no numbers.
  if (auto extent = knob->getAttrOfType<IntegerAttr>(BacoDialect::kExtent);
      extent && parameter.isNumeric())
    parameter.extent = static_cast<double>(extent.getInt());
  return success();
}

/// Whether the knob's result can hold all of its values: a `param` of an
/// integer type holds integers of that type only.
static LogicalResult checkType(KnobOp knob, const KnobDomain &domain) {
  auto type = dyn_cast<transform::ParamType>(knob.getResult().getType());
  if (!type)
    return success();
  auto misfit = [&](const Twine &value) {
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': " << value
           << " does not fit its type " << type << "; use !transform.any_param";
  };
  for (Attribute attribute : domain.attributes) {
    auto typed = dyn_cast<IntegerAttr>(attribute);
    if (!typed || typed.getType() != type.getType())
      return misfit("option " + debugString(attribute));
  }
  if (!domain.attributes.empty())
    return success();
  const Parameter &parameter = domain.parameter;
  if (parameter.kind() != ParameterKind::Integer &&
      parameter.kind() != ParameterKind::Ordinal)
    return misfit("its domain");
  unsigned width =
      type.getType().isIndex() ? 64 : type.getType().getIntOrFloatBitWidth();
  for (uint64_t index : {uint64_t(0), parameter.size() - 1})
    if (baco::ParameterValue value = parameter.value(index);
        !llvm::isIntN(width, std::get<int64_t>(value)))
      return misfit("value " + toString(value));
  return success();
}

/// The parameter of a knob, without default and weights.
static FailureOr<Result<KnobDomain>> readOptions(KnobOp knob,
                                                 std::string name) {
  Attribute options = knob.getOptions();
  if (auto array = dyn_cast<ArrayAttr>(options))
    return readList(std::move(name), array.getValue(), weightsOf(knob));
  if (isa<DomainAttrInterface>(options))
    return readDomainAttr(std::move(name), options);
  auto dictionary = dyn_cast<DictionaryAttr>(options);
  if (!dictionary)
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': options " << options
           << " are not supported: write an array, a dictionary with 'lb' and "
              "'ub', or a domain like #baco.ordinal<[8, 16]>";
  auto read = readDictionary(knob, dictionary);
  if (failed(read))
    return failure();
  if (const auto *range = std::get_if<KnobRange>(&*read))
    return plain(Parameter::integer(std::move(name), range->lower, range->upper,
                                    range->step));
  return readList(std::move(name), std::get<SmallVector<Attribute>>(*read),
                  weightsOf(knob));
}

FailureOr<KnobDomain> schedule::readDomain(KnobOp knob, std::string name) {
  FailureOr<Result<KnobDomain>> domain = readOptions(knob, std::move(name));
  if (failed(domain))
    return failure();
  if (!*domain)
    return knob.emitError((*domain).error().message);
  KnobDomain result = std::move(**domain);
  result.parameter.location = describe(knob.getLoc());
  if (failed(checkType(knob, result)) ||
      failed(readExpertise(knob, result.parameter)))
    return failure();
  return result;
}

Attribute schedule::attributeOf(const Choice &choice,
                                const baco::ParameterValue &value, Type type) {
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
