//===- TuningTarget.cpp - The machine that is tuned for -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/TuningTarget.h"

#include "baco/Support/NvidiaGpu.h"
#include "baco/Target/NVVM/NvvmTarget.h"

#include "llvm/ADT/StringRef.h"

using namespace baco;
using namespace baco::driver;

Result<TuningTarget> TuningTarget::parse(const std::string &text) {
  TuningTarget target;
  auto [name, rest] = llvm::StringRef(text).split(':');
  if (name == "cpu" && name == text)
    return target;
  if (name != "nvvm" && name != "cuda")
    return Error{ErrorCode::InvalidArgument,
                 "target must be cpu, nvvm:CHIP or cuda:CHIP, but is '" + text +
                     "'"};
  target.kind = name == "nvvm" ? Nvvm : Cuda;
  auto [chip, features] = rest.split(':');
  target.chip = chip.str();
  target.features = features.str();
  if (!findNvidiaGpu(target.chip))
    return Error{ErrorCode::InvalidArgument,
                 "target '" + text + "': chip '" + target.chip +
                     "' is unknown; it can be " + listNvidiaChips()};
  if (llvm::Error error = target::checkNvvmTarget(chip, features))
    return Error{ErrorCode::InvalidArgument,
                 "target '" + text + "': " + llvm::toString(std::move(error))};
  return target;
}

Result<void> driver::checkTarget(const std::string &text,
                                 const std::string &evaluator) {
  Result<TuningTarget> target = TuningTarget::parse(text);
  if (!target)
    return target.error();
  if (target->kind == TuningTarget::Nvvm && evaluator == "jit")
    return {ErrorCode::InvalidArgument,
            "target " + text +
                ": candidates can't be run; add --evaluator=static"};
  return {};
}
