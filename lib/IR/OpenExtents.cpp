//===- OpenExtents.cpp - Extents that stay dynamic ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/OpenExtents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

llvm::Error baco::checkExtents(Type type, Attribute extents) {
  auto memref = dyn_cast<MemRefType>(type);
  auto array = dyn_cast<DenseI64ArrayAttr>(extents);
  if (!memref || !array)
    return llvm::createStringError(
        "it belongs on a memref, and is an array<i64: ...>");
  if (array.size() != memref.getRank())
    return llvm::createStringError("it has " + llvm::Twine(array.size()) +
                                   " extents, but the memref has " +
                                   llvm::Twine(memref.getRank()));
  for (auto [measured, own] :
       llvm::zip_equal(array.asArrayRef(), memref.getShape())) {
    if (measured < 1)
      return llvm::createStringError("extents are at least 1");
    if (!ShapedType::isDynamic(own) && own != measured)
      return llvm::createStringError("extent " + llvm::Twine(measured) +
                                     " differs from that of the memref, " +
                                     llvm::Twine(own));
  }
  return llvm::Error::success();
}

std::optional<ArrayRef<int64_t>> baco::measuredExtents(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  auto extents = function.getArgAttrOfType<DenseI64ArrayAttr>(
      argument.getArgNumber(), kExtents);
  if (!extents || llvm::errorToBool(checkExtents(argument.getType(), extents)))
    return std::nullopt;
  return extents.asArrayRef();
}
