//===- StepLocations.cpp - Where the steps of recipes are -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/StepLocations.h"

#include "baco/IR/BacoDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;

void StepLocations::note(ArrayAttr steps,
                         SmallVector<FileLineColLoc> places) const {
  if (places.empty())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto &known = texts[steps];
  // A text may be parsed again.
  if (!llvm::is_contained(known, places))
    known.push_back(std::move(places));
}

static std::pair<unsigned, unsigned> placeOf(FileLineColLoc location) {
  return {location.getLine(), location.getColumn()};
}

Location StepLocations::find(Location location, ArrayAttr steps,
                             size_t index) const {
  auto op = dyn_cast<FileLineColLoc>(location);
  if (!op)
    return location;
  std::lock_guard<std::mutex> lock(mutex);
  FileLineColLoc before, behind;
  for (const auto &places : texts.lookup(steps)) {
    FileLineColLoc step = places[index];
    if (step.getFilename() != op.getFilename())
      continue;
    FileLineColLoc &nearest = placeOf(step) < placeOf(op) ? before : behind;
    bool isNearer =
        !nearest || (&nearest == &before ? placeOf(nearest) < placeOf(step)
                                         : placeOf(step) < placeOf(nearest));
    if (isNearer)
      nearest = step;
  }
  return behind ? Location(behind) : before ? Location(before) : location;
}

Location baco::locationOfStep(Operation *op, ArrayAttr steps, size_t index) {
  auto *dialect = op->getContext()->getLoadedDialect<BacoDialect>();
  return dialect->getRegisteredInterface<StepLocations>()->find(op->getLoc(),
                                                                steps, index);
}
