//===- Steps.cpp - Rules for the fields of steps --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that a step alone must obey, in the order of BacoRecipe.td. Rules for
// the op that a step works on are in lib/Recipe.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeFields.h"
#include "baco/IR/TargetOptions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// TileAttr
//===----------------------------------------------------------------------===//

static std::optional<Remainder> parseRemainder(Attribute text) {
  auto name = dyn_cast<StringAttr>(text);
  return llvm::StringSwitch<std::optional<Remainder>>(name ? name.getValue()
                                                           : "")
      .Case("exact", Remainder::Exact)
      .Case("split", Remainder::Split)
      .Case("balance", Remainder::Balance)
      .Default(std::nullopt);
}

static LogicalResult verifyRemainders(EmitError emitError, ArrayAttr sizes,
                                      ArrayAttr remainders) {
  if (remainders.size() != sizes.size())
    return emitError() << remainders.size() << " remainders given for "
                       << sizes.size() << " sizes";
  for (auto [size, text] : llvm::zip_equal(sizes, remainders)) {
    std::optional<Remainder> remainder = parseRemainder(text);
    if (!remainder)
      return emitError() << "a remainder must be \"exact\", \"split\" or "
                            "\"balance\", but is "
                         << text;
    if (!makesLoop(size) && *remainder != Remainder::Exact)
      return emitError() << "a remainder of " << text
                         << " is given where the size is 0";
  }
  return success();
}

Remainder TileAttr::getRemainder(size_t iterator) const {
  if (!getRemainders())
    return Remainder::Exact;
  return *parseRemainder(getRemainders()[iterator]);
}

LogicalResult TileAttr::verify(EmitError emitError, ArrayAttr sizes,
                               Attribute order, ArrayAttr remainders,
                               int64_t rest) {
  for (Attribute size : sizes)
    if (failed(verifyQuantity(emitError, "a tile size", size, /*minimum=*/0,
                              /*knobMinimum=*/0)))
      return failure();
  int64_t numLoops = llvm::count_if(sizes, makesLoop);
  if (numLoops == 0)
    return emitError() << "a tile step must make at least one loop, but all "
                          "sizes are 0";
  if (remainders && failed(verifyRemainders(emitError, sizes, remainders)))
    return failure();
  if (rest < 0)
    return emitError() << "the largest tile of the rest is " << rest
                       << ", but must not be negative";
  if (rest > 0 &&
      (!remainders ||
       !llvm::is_contained(remainders,
                           StringAttr::get(sizes.getContext(), "split"))))
    return emitError() << "'rest' is given, but no remainder is \"split\"";
  return order ? verifyOrder(emitError, order, numLoops) : success();
}

//===----------------------------------------------------------------------===//
// InterchangeAttr
//===----------------------------------------------------------------------===//

LogicalResult InterchangeAttr::verify(EmitError emitError, Attribute order) {
  return verifyOrder(emitError, order, /*count=*/std::nullopt);
}

//===----------------------------------------------------------------------===//
// PromoteAttr
//===----------------------------------------------------------------------===//

LogicalResult PromoteAttr::verify(EmitError emitError,
                                  DenseI64ArrayAttr operands, int64_t alignment,
                                  Attribute enabled) {
  if (operands.empty())
    return emitError() << "a promote step needs at least one operand";
  if (failed(verifyOperands(emitError, operands, "promoted")))
    return failure();
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return emitError() << "the alignment must be a power of two, but is "
                       << alignment;
  return verifySwitch(emitError, enabled);
}

//===----------------------------------------------------------------------===//
// VectorizeAttr
//===----------------------------------------------------------------------===//

LogicalResult VectorizeAttr::verify(EmitError emitError, Attribute copyLength,
                                    Attribute enabled) {
  if (failed(verifySwitch(emitError, enabled)))
    return failure();
  if (!copyLength)
    return success();
  if (whereOff(enabled))
    return emitError() << "'copy_length' is given, but 'enabled' may be 0; the "
                          "lowering then makes the copies";
  return verifyQuantity(emitError, "the vector length of copies", copyLength,
                        /*minimum=*/1);
}

bool VectorizeAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// HoistAttr
//===----------------------------------------------------------------------===//

LogicalResult HoistAttr::verify(EmitError emitError, Attribute enabled) {
  return verifySwitch(emitError, enabled);
}

//===----------------------------------------------------------------------===//
// ParallelizeAttr
//===----------------------------------------------------------------------===//

LogicalResult ParallelizeAttr::verify(EmitError emitError, ArrayAttr sizes,
                                      ArrayAttr threads) {
  if (static_cast<bool>(sizes) == static_cast<bool>(threads))
    return emitError() << "a parallelize step needs either 'sizes' or "
                          "'threads'";
  return sizes ? verifyEntries(emitError, "a tile size", sizes)
               : verifyEntries(emitError, "a number of threads", threads);
}

//===----------------------------------------------------------------------===//
// LLVMAttr
//===----------------------------------------------------------------------===//

/// The values of a knob's domain that its option must be able to take.
static SmallVector<Attribute> valuesOf(KnobAttr knob) {
  Attribute domain = knob.getDomain();
  Builder builder(knob.getContext());
  SmallVector<Attribute> values;
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain)) {
    for (int64_t value : ordinal.getValues())
      values.push_back(builder.getI64IntegerAttr(value));
  } else if (auto categorical = dyn_cast<CategoricalAttr>(domain)) {
    llvm::append_range(values, categorical.getValues());
  } else if (auto range = dyn_cast<IntegerRangeAttr>(domain)) {
    // Extraction looks at those in between.
    values = {builder.getI64IntegerAttr(range.getLower()),
              builder.getI64IntegerAttr(range.getUpper())};
  } else {
    // No number: the error shows it.
    values = {domain};
  }
  return values;
}

LogicalResult LLVMAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               DictionaryAttr options) {
  if (options.empty())
    return emitError() << "a step 'llvm' sets no option; write for example "
                          "{opt_level = 0}";
  for (NamedAttribute option : options) {
    StringRef name = option.getName();
    SmallVector<Attribute> values = {option.getValue()};
    if (auto knob = dyn_cast<KnobAttr>(option.getValue())) {
      if (knob.getName() != (targetKnobPrefix + name).str())
        return emitError() << "the knob of target option '" << name
                           << "' must be called '" << targetKnobPrefix << name
                           << "', but is called '" << knob.getName() << "'";
      values = valuesOf(knob);
    }
    for (Attribute value : values)
      if (llvm::Error error = checkTargetOption(name, value))
        return emitError() << llvm::toString(std::move(error));
  }
  return success();
}
