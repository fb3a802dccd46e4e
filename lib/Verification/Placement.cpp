//===- Placement.cpp - Where a candidate lies in memory -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Placement.h"

#include "baco/Support/Random.h"

using namespace baco;
using namespace baco::runtime;

static constexpr size_t linesPerPage = placementPageBytes / cacheLineBytes;

size_t runtime::usualStagger(size_t i) {
  return (2 * i + 1) * 5 % linesPerPage * cacheLineBytes;
}

Placement runtime::drawPlacement(uint64_t seed, uint64_t index,
                                 size_t numArguments) {
  Random codes(seed, 1 + index), random(seed, 0);
  auto drawMultiple = [&](size_t unit, size_t limit) {
    return unit * random.below(limit / unit);
  };
  constexpr size_t stackAlignment = 16, maxGapBytes = 1 << 20;
  Placement placement;
  placement.usesHugePages = false;
  placement.codeOffset =
      codeAlignment * codes.below(placementPageBytes / codeAlignment);
  placement.gapBytes = drawMultiple(placementPageBytes, maxGapBytes);
  placement.stackBytes = drawMultiple(stackAlignment, placementPageBytes);
  placement.heapBytes = drawMultiple(stackAlignment, placementPageBytes);
  // An even number of lines, so that multiples stay odd.
  size_t shift = drawMultiple(2 * cacheLineBytes, placementPageBytes);
  for (size_t i = 0; i < numArguments; ++i)
    placement.staggers.push_back((usualStagger(i) + shift) %
                                 placementPageBytes);
  random.shuffle(placement.staggers);
  return placement;
}
