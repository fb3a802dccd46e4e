//===- RequestedShapes.cpp - Shapes to make versions for ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/RequestedShapes.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco::frontend;

bool baco::frontend::isOpenExtent(int64_t extent) {
  return extent < 0 && !ShapedType::isDynamic(extent);
}

int64_t baco::frontend::measuredExtent(int64_t extent) {
  return isOpenExtent(extent) ? -extent : extent;
}

llvm::Expected<std::vector<int64_t>>
baco::frontend::readExtents(StringRef text) {
  constexpr int64_t largest = INT32_MAX;
  std::vector<int64_t> extents;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t number = ShapedType::kDynamic;
    StringRef digits = part;
    bool isOpen = digits.consume_back("?");
    if (part != "?" &&
        (digits.getAsInteger(10, number) || number < 1 || number > largest))
      return llvm::createStringError("extent '" + part + "' in '" + text +
                                     "' must be ?, or an integer from 1 to " +
                                     llvm::Twine(largest) +
                                     " that may end with ?");
    extents.push_back(isOpen && part != "?" ? openExtent(number) : number);
  }
  return extents;
}

std::string baco::frontend::writeExtents(ArrayRef<int64_t> extents) {
  return llvm::join(llvm::map_range(extents,
                                    [](int64_t extent) -> std::string {
                                      if (ShapedType::isDynamic(extent))
                                        return "?";
                                      return std::to_string(
                                                 measuredExtent(extent)) +
                                             (isOpenExtent(extent) ? "?" : "");
                                    }),
                    "x");
}

llvm::Expected<std::vector<RequestedShape>>
baco::frontend::readShapes(StringRef text) {
  std::vector<RequestedShape> shapes;
  if (text.empty())
    return shapes;
  for (StringRef group : llvm::split(text, ';')) {
    RequestedShape &shape = shapes.emplace_back();
    for (StringRef one : llvm::split(group, ',')) {
      auto [number, its] = one.split('=');
      unsigned argument;
      if (number.getAsInteger(10, argument) || its.empty())
        return llvm::createStringError(
            "'" + one + "' is not of the form N=EXTENTS, such as 0=512x64");
      auto extents = readExtents(its);
      if (!extents)
        return extents.takeError();
      shape.push_back({argument, std::move(*extents)});
    }
  }
  return shapes;
}

std::string baco::frontend::writeShapes(ArrayRef<RequestedShape> shapes) {
  auto writeShape = [](const RequestedShape &shape) {
    return llvm::join(llvm::map_range(shape,
                                      [](const ArgumentExtents &one) {
                                        return std::to_string(one.argument) +
                                               "=" + writeExtents(one.extents);
                                      }),
                      ",");
  };
  return llvm::join(llvm::map_range(shapes, writeShape), ";");
}

std::string baco::frontend::writeShapes(const RequestedShapes &shapes) {
  auto writeFunction = [](const auto &one) {
    return one.first + ":" + writeShapes(one.second);
  };
  return llvm::join(llvm::map_range(shapes, writeFunction), ";");
}
