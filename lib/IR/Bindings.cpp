//===- Bindings.cpp - Attributes that a knob sets -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one entry of `baco.bind` and computes what its attribute becomes.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Bindings.h"
#include "baco/IR/BacoAttributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

StringRef baco::getBoundKnob(Attribute binding) {
  if (auto name = dyn_cast<StringAttr>(binding))
    return name.getValue();
  if (auto reorder = dyn_cast<ReorderAttr>(binding))
    return reorder.getKnob();
  return {};
}

/// `list` in the form of `current`.
static Attribute writeList(MLIRContext *context, ArrayRef<int64_t> list,
                           Attribute current) {
  Builder builder(context);
  if (isa_and_present<ArrayAttr>(current))
    return builder.getI64ArrayAttr(list);
  return builder.getDenseI64ArrayAttr(list);
}

FailureOr<Attribute> baco::resolveBinding(Attribute binding, Attribute value,
                                          Attribute current) {
  FailureOr<SmallVector<int64_t>> order = getIntegerList(value);
  auto reorder = dyn_cast<ReorderAttr>(binding);
  if (!reorder) {
    if (failed(order))
      return value;
    return writeList(value.getContext(), *order, current);
  }
  if (failed(order) || !isOrder(*order) ||
      order->size() > reorder.getList().size())
    return failure();
  SmallVector<int64_t> list(reorder.getList());
  for (auto [position, element] : llvm::enumerate(*order))
    list[position] = reorder.getList()[element];
  return writeList(value.getContext(), list, current);
}
