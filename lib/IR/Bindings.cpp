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

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;

bool baco::isBinding(Attribute binding) {
  if (auto list = dyn_cast<ArrayAttr>(binding))
    return llvm::all_of(list, llvm::IsaPred<StringAttr, IntegerAttr>);
  return isa<StringAttr, ReorderAttr>(binding);
}

/// `list` in the form of `current`.
static Attribute writeList(MLIRContext *context, ArrayRef<int64_t> list,
                           Attribute current) {
  Builder builder(context);
  if (isa_and_present<ArrayAttr>(current))
    return builder.getI64ArrayAttr(list);
  return builder.getDenseI64ArrayAttr(list);
}

/// `order` applied to the first elements of the list; null if it isn't one.
static Attribute reorder(ReorderAttr binding, Attribute value,
                         Attribute current) {
  FailureOr<SmallVector<int64_t>> order = getIntegerList(value);
  if (failed(order) || !isPermutationVector(*order) ||
      order->size() > binding.getList().size())
    return nullptr;
  SmallVector<int64_t> list(binding.getList());
  for (auto [position, element] : llvm::enumerate(*order))
    list[position] = binding.getList()[element];
  return writeList(value.getContext(), list, current);
}

FailureOr<Attribute>
baco::resolveBinding(Attribute binding,
                     function_ref<Attribute(StringRef)> valueOf,
                     Attribute current) {
  if (auto elements = dyn_cast<ArrayAttr>(binding)) {
    SmallVector<int64_t> list;
    for (Attribute element : elements) {
      if (auto name = dyn_cast<StringAttr>(element))
        if (element = valueOf(name); !element)
          return failure();
      auto integer = dyn_cast<IntegerAttr>(element);
      if (!integer)
        return Attribute();
      list.push_back(integer.getInt());
    }
    return writeList(binding.getContext(), list, current);
  }
  auto order = dyn_cast<ReorderAttr>(binding);
  Attribute value =
      valueOf(order ? order.getKnob() : cast<StringAttr>(binding).getValue());
  if (!value)
    return failure();
  if (order)
    return reorder(order, value, current);
  FailureOr<SmallVector<int64_t>> list = getIntegerList(value);
  return succeeded(list) ? writeList(value.getContext(), *list, current)
                         : value;
}
