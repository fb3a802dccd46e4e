//===- SparseSteps.cpp - Rules for the fields of sparse steps -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that the step for sparse tensors alone must obey (BacoSparseSteps.td).
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeFields.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Checks a string, or a knob over strings. With `possible`, of these.
static LogicalResult verifyText(EmitError emitError, StringRef what,
                                Attribute field,
                                ArrayRef<StringRef> possible = {}) {
  auto knob = dyn_cast<KnobAttr>(field);
  auto domain = knob ? dyn_cast<CategoricalAttr>(knob.getDomain()) : nullptr;
  bool isText =
      isa<StringAttr>(field) ||
      (domain && llvm::all_of(domain.getValues(), llvm::IsaPred<StringAttr>));
  if (!isText)
    return emitError() << what << " must be a string, or a knob over strings, "
                       << "but is " << field;
  if (possible.empty())
    return success();
  for (StringRef text : textsOf(field))
    if (!llvm::is_contained(possible, text))
      return emitError() << what << " must be one of '"
                         << llvm::join(possible, "', '") << "', but is '"
                         << text << "'";
  return success();
}

/// Checks a number or a knob all of whose values are `possible`.
static LogicalResult verifyNumber(EmitError emitError, StringRef what,
                                  Attribute field,
                                  function_ref<bool(int64_t)> isPossible,
                                  StringRef possible) {
  if (!field)
    return success();
  if (failed(verifyQuantity(emitError, what, field, /*minimum=*/0,
                            /*knobMinimum=*/0)))
    return failure();
  if (Quantity(field).allOf(isPossible))
    return success();
  return emitError() << what << " must be " << possible << ", but is " << field;
}

LogicalResult SparsifyAttr::verify(
    EmitError emitError, Attribute format, Attribute order, ArrayAttr tiles,
    Attribute positions, Attribute coordinates, Attribute vl, Attribute simd32,
    Attribute peel, Attribute factor, Attribute parallel, Attribute threads,
    Attribute schedule, Attribute chunk, Attribute unroll) {
  auto upTo = [](int64_t most) {
    return [most](int64_t value) { return value <= most; };
  };
  auto isWidth = [](int64_t bits) {
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  auto verifySwitch = [&](StringRef what, Attribute field) {
    return verifyNumber(
        emitError, what, field, [](int64_t isOn) { return isOn <= 1; },
        "0 or 1");
  };
  constexpr StringLiteral widths = "8, 16, 32 or 64";
  if (tiles)
    for (Attribute tile : tiles)
      if (failed(verifyQuantity(emitError, "a size in 'tiles'", tile,
                                /*minimum=*/0, /*knobMinimum=*/1)))
        return failure();
  return failure(
      failed(verifyText(emitError, "'format'", format)) ||
      failed(verifyOrder(emitError, order, /*count=*/std::nullopt)) ||
      failed(
          verifyNumber(emitError, "'positions'", positions, isWidth, widths)) ||
      failed(verifyNumber(emitError, "'coordinates'", coordinates, isWidth,
                          widths)) ||
      failed(verifyNumber(emitError, "'vl'", vl,
                          upTo(SparsifierOptions::longestVector),
                          "from 0 to 1024")) ||
      failed(verifyNumber(emitError, "'threads'", threads,
                          upTo(TeamOptions::maxThreads), "from 0 to 64")) ||
      failed(verifyNumber(emitError, "'chunk'", chunk,
                          upTo(TeamOptions::largestChunk), "from 0 to 2^30")) ||
      failed(verifyNumber(emitError, "'unroll'", unroll,
                          upTo(SparsifierOptions::largestUnroll),
                          "from 0 to 64")) ||
      (schedule && failed(verifyText(emitError, "'schedule'", schedule,
                                     {"static", "dynamic", "guided"}))) ||
      failed(verifySwitch("'simd32'", simd32)) ||
      failed(verifySwitch("'peel'", peel)) ||
      failed(verifySwitch("'factor'", factor)) ||
      (parallel && failed(verifyText(emitError, "'parallel'", parallel,
                                     {"none", "dense-outer-loop",
                                      "any-storage-outer-loop"}))));
}
