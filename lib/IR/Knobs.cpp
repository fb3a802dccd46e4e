//===- Knobs.cpp - Knobs, constraints, reorderings ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the attributes that name a knob.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Expression.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/TargetOptions.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

bool baco::isIdentifier(StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, isWord);
}

StringRef baco::nearestName(StringRef name, ArrayRef<StringRef> known) {
  StringRef best;
  // A name with more than a third of its letters wrong is another word, not a
  // typo.
  unsigned bestDistance = name.size() / 3 + 2;
  for (StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/// Checks that expressions can read `name`: that of a target option in
/// quotes.
static LogicalResult verifyName(EmitError emitError, StringRef name) {
  StringRef option = name;
  if (isIdentifier(name) ||
      (option.consume_front(targetKnobPrefix) && isIdentifier(option)))
    return success();
  return emitError() << "the name of a knob must be a letter or '_' followed "
                        "by letters, digits and '_', but is '"
                     << name << "'";
}

LogicalResult baco::verifyWeights(EmitError emitError, StringRef knob,
                                  DenseF64ArrayAttr weights,
                                  std::optional<uint64_t> size) {
  ArrayRef<double> values = weights.asArrayRef();
  if (size && *size == 0)
    return emitError() << "knob '" << knob
                       << "': a range of reals can't have weights";
  if (size && *size != values.size())
    return emitError() << "knob '" << knob << "': " << values.size()
                       << " weights given for " << *size << " values";
  for (double weight : values)
    if (!std::isfinite(weight) || weight < 0)
      return emitError() << "knob '" << knob << "': weight " << weight
                         << " is not a number of at least 0";
  if (llvm::all_of(values, [](double weight) { return weight == 0; }))
    return emitError() << "knob '" << knob
                       << "': at least one weight must be positive";
  return success();
}

LogicalResult KnobAttr::verify(EmitError emitError, StringRef name,
                               DomainAttrInterface domain,
                               Attribute defaultValue,
                               DenseF64ArrayAttr weights, IntegerAttr extent) {
  if (failed(verifyName(emitError, name)))
    return failure();
  if (defaultValue && !domain.contains(defaultValue))
    return emitError() << "knob '" << name << "': default " << defaultValue
                       << " is not in " << domain;
  if (extent && !isa<OrdinalAttr, IntegerRangeAttr, RealRangeAttr>(domain))
    return emitError() << "knob '" << name
                       << "': only numbers have an extent, not " << domain;
  if (extent && extent.getInt() < 1)
    return emitError() << "knob '" << name
                       << "': the extent must be positive, but is "
                       << extent.getInt();
  if (!weights)
    return success();
  return verifyWeights(emitError, name, weights, domain.getSize());
}

Attribute KnobAttr::getDefaultOrFirst() const {
  return getDefaultValue() ? getDefaultValue() : getDomain().getFirst();
}

LogicalResult ConstraintAttr::verify(EmitError emitError, StringRef text,
                                     StringRef, bool) {
  Result<Expression> expression = Expression::parse(text.str());
  if (!expression)
    return emitError() << "constraint \"" << text
                       << "\": " << expression.error().message;
  if (expression->variables().empty())
    return emitError() << "constraint \"" << text << "\" doesn't use any knob";
  return success();
}

LogicalResult ReorderAttr::verify(EmitError emitError, StringRef knob,
                                  ArrayRef<int64_t> list) {
  if (failed(verifyName(emitError, knob)))
    return failure();
  if (list.empty() || !isPermutationVector(list))
    return emitError() << "knob '" << knob << "': the list to reorder must "
                       << "hold each of 0 to its length - 1 once, but is ["
                       << list << "]";
  return success();
}
