//===- KnobRange.cpp - Options of a knob as a dictionary ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnobRange.h"

#include "baco/Schedule/Choices.h"
#include "baco/Support/Result.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::tune::KnobOp;

/// Longer lists are considered a mistake.
static constexpr int64_t maxListed = 1 << 20;

/// Divisors are found by trial division up to the root.
static constexpr int64_t maxDivided = int64_t(1) << 44;

/// An error of a knob's options.
static InFlightDiagnostic fail(KnobOp knob, const Twine &what) {
  return knob.emitError() << "knob '" << knob.getName().getValue()
                          << "': " << what;
}

/// The integer under `key`, if it is there.
static FailureOr<std::optional<int64_t>>
getInteger(KnobOp knob, DictionaryAttr dictionary, StringRef key) {
  Attribute attribute = dictionary.get(key);
  if (!attribute)
    return std::optional<int64_t>();
  baco::ParameterValue value = valueOf(attribute);
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::optional<int64_t>(*integer);
  return fail(knob, "'" + key +
                        "' must be an integer of at most 64 bits, but "
                        "is ")
         << attribute;
}

static LogicalResult checkKeys(KnobOp knob, DictionaryAttr dictionary,
                               ArrayRef<StringRef> known) {
  for (NamedAttribute entry : dictionary)
    if (!llvm::is_contained(known, entry.getName().getValue()))
      return fail(knob, "unknown key '" + entry.getName().getValue() +
                            "' in its options; known are " +
                            llvm::join(known, ", "));
  return success();
}

/// The positive divisors of `number` > 0, increasing.
static SmallVector<int64_t> divisors(int64_t number) {
  SmallVector<int64_t> small, large;
  for (int64_t d = 1; d <= number / d; ++d) {
    if (number % d != 0)
      continue;
    small.push_back(d);
    if (d != number / d)
      large.push_back(number / d);
  }
  small.append(large.rbegin(), large.rend());
  return small;
}

namespace {
/// The keys of the second spelling, without `options`.
struct Bounds {
  std::optional<int64_t> lower, upper, multipleOf, divides;

  bool admit(int64_t v) const {
    return (!lower || v >= *lower) && (!upper || v <= *upper) &&
           (!multipleOf || v % *multipleOf == 0) &&
           (!divides || (v != 0 && *divides % v == 0));
  }
};
} // namespace

/// The integers within `bounds`. Errors name missing and unknown keys.
static Result<SmallVector<int64_t>> enumerate(const Bounds &bounds) {
  SmallVector<int64_t> values;
  if (bounds.divides) {
    if (*bounds.divides > maxDivided)
      return Error{ErrorCode::InvalidArgument,
                   "'divides' must be at most " + std::to_string(maxDivided)};
    values = divisors(*bounds.divides);
    llvm::erase_if(values, [&](int64_t v) { return !bounds.admit(v); });
    return values;
  }
  if (!bounds.upper)
    return Error{ErrorCode::InvalidArgument,
                 "options need 'options', 'upper_bound' or 'divides'"};
  // Wide enough for the span of any two bounds.
  __int128 step = bounds.multipleOf.value_or(1);
  __int128 first = bounds.lower.value_or(1), last = *bounds.upper;
  first += ((-first) % step + step) % step;
  if (last >= first && (last - first) / step >= maxListed)
    return Error{ErrorCode::InvalidArgument,
                 "more than " + std::to_string(maxListed) +
                     " values: use a domain like #baco.integer<" +
                     std::to_string(bounds.lower.value_or(1)) + " to " +
                     std::to_string(*bounds.upper) + ">"};
  for (__int128 v = first; v <= last; v += step)
    values.push_back(static_cast<int64_t>(v));
  return values;
}

/// The options, or all integers within the bounds, that pass all tests.
static FailureOr<SmallVector<Attribute>> readBounded(KnobOp knob,
                                                     DictionaryAttr dict) {
  auto lower = getInteger(knob, dict, "lower_bound"),
       upper = getInteger(knob, dict, "upper_bound"),
       multiple = getInteger(knob, dict, "divisible_by"),
       whole = getInteger(knob, dict, "divides");
  if (failed(lower) || failed(upper) || failed(multiple) || failed(whole))
    return failure();
  if ((*multiple && **multiple <= 0) || (*whole && **whole <= 0))
    return fail(knob, "'divisible_by' and 'divides' must be positive");
  Bounds bounds{*lower, *upper, *multiple, *whole};
  SmallVector<Attribute> kept;
  if (Attribute options = dict.get("options")) {
    auto array = dyn_cast<ArrayAttr>(options);
    if (!array)
      return fail(knob, "'options' must be an array");
    for (Attribute option : array) {
      baco::ParameterValue value = valueOf(option);
      const auto *integer = std::get_if<int64_t>(&value);
      if (!integer)
        return fail(knob, "with bounds, all options must be integers");
      if (bounds.admit(*integer))
        kept.push_back(option);
    }
  } else {
    Result<SmallVector<int64_t>> values = enumerate(bounds);
    if (!values)
      return fail(knob, values.error().message);
    for (int64_t value : *values)
      kept.push_back(Builder(knob.getContext()).getI64IntegerAttr(value));
  }
  if (kept.empty())
    return fail(knob, "no option meets its bounds");
  return kept;
}

FailureOr<std::variant<KnobRange, SmallVector<Attribute>>>
schedule::readDictionary(KnobOp knob, DictionaryAttr dict) {
  using Read = std::variant<KnobRange, SmallVector<Attribute>>;
  if (!dict.contains("lb") && !dict.contains("ub")) {
    if (failed(checkKeys(knob, dict,
                         {"options", "lower_bound", "upper_bound",
                          "divisible_by", "divides"})))
      return failure();
    FailureOr<SmallVector<Attribute>> list = readBounded(knob, dict);
    if (failed(list))
      return failure();
    return Read(std::move(*list));
  }
  if (failed(checkKeys(knob, dict, {"lb", "ub", "step"})))
    return failure();
  auto lower = getInteger(knob, dict, "lb"),
       upper = getInteger(knob, dict, "ub"),
       step = getInteger(knob, dict, "step");
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  if (!*lower || !*upper)
    return fail(knob, "a range needs both 'lb' and 'ub'");
  return Read(KnobRange{**lower, **upper, step->value_or(1)});
}
