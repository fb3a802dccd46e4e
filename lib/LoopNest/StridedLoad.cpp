//===- StridedLoad.cpp - Every second element as a vector -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedLoad.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

Value baco::loopnest::loadStrided(OpBuilder &builder, Location loc,
                                  VectorType type, int64_t stride,
                                  function_ref<Value(int64_t)> loadAt) {
  int64_t width = type.getNumElements();
  // The last one ends with the last element.
  int64_t lastStart = (width - 1) * (stride - 1);
  Value result;
  for (int64_t part = 0; part < stride; ++part) {
    int64_t start = std::min(part * width, lastStart);
    Value loaded = loadAt(start);
    SmallVector<int64_t> lanes;
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t element = lane * stride;
      bool isHere = std::min(element / width, stride - 1) == part;
      lanes.push_back(isHere ? width + element - start : lane);
    }
    result = part == 0 ? loaded : result;
    // In the first part no lane has its element yet.
    result = vector::ShuffleOp::create(builder, loc, result, loaded, lanes);
  }
  return result;
}
