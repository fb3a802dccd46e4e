//===- TargetOptions.cpp - How LLVM compiles a kernel ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/TargetOptions.h"

#include "baco/IR/BacoAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

namespace {
struct OptionFacts {
  StringRef name;
  std::optional<int64_t> TargetOptions::*field;
  int64_t least, greatest;
  bool mustBePowerOfTwo;
  /// May be "auto", which is the same as not being set.
  bool hasAuto;
  StringRef values;
};
} // namespace

static constexpr OptionFacts facts[] = {
    {"opt_level", &TargetOptions::optLevel, 0, 3, false, true,
     "0 to 3 or \"auto\""},
    {"codegen_level", &TargetOptions::codegenLevel, 0, 3, false, false,
     "0 to 3"},
    {"prefer_vector_width", &TargetOptions::preferVectorWidth, 128, 512, true,
     false, "128, 256 or 512"},
    {"unroll_threshold", &TargetOptions::unrollThreshold, 0, 100000, false,
     false, "0 to 100000"},
    {"interleave_count", &TargetOptions::interleaveCount, 1, 16, true, false,
     "1, 2, 4, 8 or 16"},
    {"dot_products", &TargetOptions::dotProducts, 0, 2, false, false,
     "0, 1 or 2"}};

static llvm::Expected<const OptionFacts *> findOption(StringRef name) {
  for (const OptionFacts &option : facts)
    if (option.name == name)
      return &option;
  SmallVector<StringRef> known;
  for (const OptionFacts &option : facts)
    known.push_back(option.name);
  StringRef near = nearestName(name, known);
  return llvm::createStringError(
      "there is no target option '" + name + "'" +
      (near.empty() ? std::string()
                    : ("; did you mean '" + near + "'?").str()) +
      "; known are '" + llvm::join(known, "', '") + "'");
}

/// The value of an option; nullopt for "auto".
static llvm::Expected<std::optional<int64_t>>
readValue(const OptionFacts &option, Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  if (option.hasAuto && text && text.getValue() == "auto")
    return std::nullopt;
  auto integer = dyn_cast<IntegerAttr>(value);
  if (integer && !integer.getType().isInteger(1) &&
      integer.getValue().isSignedIntN(64)) {
    int64_t number = integer.getValue().getSExtValue();
    if (number >= option.least && number <= option.greatest &&
        (!option.mustBePowerOfTwo || llvm::isPowerOf2_64(number)))
      return number;
  }
  std::string shown;
  llvm::raw_string_ostream(shown) << value;
  return llvm::createStringError("target option '" + option.name +
                                 "' must be " + option.values + ", but is " +
                                 shown);
}

llvm::Error baco::checkTargetOption(StringRef name, Attribute value) {
  auto option = findOption(name);
  if (!option)
    return option.takeError();
  return readValue(**option, value).takeError();
}

llvm::Expected<TargetOptions> TargetOptions::read(DictionaryAttr dictionary) {
  TargetOptions options;
  for (NamedAttribute entry : dictionary) {
    auto option = findOption(entry.getName());
    if (!option)
      return option.takeError();
    auto value = readValue(**option, entry.getValue());
    if (!value)
      return value.takeError();
    options.*(*option)->field = *value;
  }
  return options;
}
