//===- ConstantData.cpp - Bytes of constants ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/ConstantData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

int64_t baco::bytesOf(Type element) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return 0;
  return element.getIntOrFloatBitWidth() / 8;
}

ArrayRef<char> baco::bytesOf(ElementsAttr data) {
  if (auto dense = dyn_cast<DenseElementsAttr>(data))
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(data))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

bool baco::hasData(ElementsAttr data) {
  return isa<DenseElementsAttr>(data) ||
         static_cast<int64_t>(bytesOf(data).size()) ==
             data.getNumElements() * bytesOf(data.getElementType());
}

ElementsAttr baco::createLike(ElementsAttr data, RankedTensorType type,
                              AsmResourceBlob blob) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(data))
    return DenseResourceElementsAttr::get(
        type, resource.getRawHandle().getKey(), std::move(blob));
  return DenseElementsAttr::getFromRawBuffer(type, blob.getData());
}
