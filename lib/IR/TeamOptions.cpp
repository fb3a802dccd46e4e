//===- TeamOptions.cpp - How threads share parallel loops -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/TeamOptions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using baco::TeamOptions;

bool baco::isTeamOption(StringRef name) {
  return name == kTeamThreads || name == kTeamSchedule || name == kTeamChunk;
}

llvm::Error baco::readNumber(Operation *op, StringRef name, int64_t largest,
                             int64_t &number) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return llvm::Error::success();
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (!integer || !integer.getType().isInteger(64) || integer.getInt() < 0 ||
      integer.getInt() > largest)
    return llvm::createStringError("'" + name + "' must be an i64 from 0 to " +
                                   llvm::Twine(largest));
  number = integer.getInt();
  return llvm::Error::success();
}

llvm::Expected<TeamOptions> TeamOptions::read(Operation *function) {
  TeamOptions options;
  if (llvm::Error error =
          readNumber(function, kTeamThreads, maxThreads, options.threads))
    return error;
  if (llvm::Error error =
          readNumber(function, kTeamChunk, largestChunk, options.chunk))
    return error;
  Attribute attribute = function->getAttr(kTeamSchedule);
  if (!attribute)
    return options;
  auto name = dyn_cast<StringAttr>(attribute);
  auto schedule =
      llvm::StringSwitch<std::optional<Schedule>>(name ? name.getValue() : "")
          .Case("static", Schedule::Static)
          .Case("dynamic", Schedule::Dynamic)
          .Case("guided", Schedule::Guided)
          .Default(std::nullopt);
  if (!schedule)
    return llvm::createStringError(
        "'" + kTeamSchedule + R"(' must be "static", "dynamic" or "guided")");
  options.schedule = *schedule;
  return options;
}
